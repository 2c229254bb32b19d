/*
 * One connection to one ADB peer, carrying many streams at once.
 *
 * A connection is a monitor: any thread may call it, each call has a deadline,
 * and a waiting caller reads the transport itself. A background thread reads
 * only while no caller waits, so that a lost peer is noticed and its OPENs are
 * answered. When the peer is lost, all waiting and later calls fail with the
 * same error.
 *
 * Memory: a stream stores the data that its owner has not read yet, at most
 * 3 MiB if the peer follows the flow control. AOSP's peers do not when a
 * service ends: they send its last bytes at once. All of them are stored for
 * the reader, up to CONN_OVERRUN_MAX for all streams of a connection together.
 * Beyond that, the stream with the most unread data is dropped: its calls fail
 * with ERR_LIMIT, the peer gets CLSE, and all other streams continue.
 *
 * A host and a device use the same code; they differ in who greets first.
 */
#ifndef ADB_CONNECTION_CONN_H
#define ADB_CONNECTION_CONN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/connection/stream.h"
#include "adb/transport/transport.h"
#include "adb/trust/auth.h"
#include "adb/wire/banner.h"
#include "adb/wire/packet.h"
#include "base/buf.h"
#include "base/log.h"

/* Payload bytes; small payloads may need twice as much memory. */
#define CONN_OVERRUN_MAX ((size_t)64 * 1024 * 1024)

enum conn_role {
    CONN_HOST,   /* greets first */
    CONN_DEVICE, /* waits for the greeting */
};

/*
 * May the peer open this service on us? Called with the connection locked: it
 * must be quick and must not call back.
 */
typedef bool conn_wanted_fn(void *context, const char *service);

struct conn_options {
    enum conn_role role;
    struct banner banner; /* what we send about ourselves */
    uint32_t version;     /* 0: the newest; tests use it to act as old peers */
    uint32_t max_payload; /* 0: what packet.h has for new peers */
    const struct auth_credentials *credentials; /* host; NULL: no keys */
    struct deadline answer_by; /* host: deadline for the peer's first packet, if
                                  sooner than by; zero: none */
    const struct auth_policy *policy; /* device; NULL: every host is accepted */
    conn_wanted_fn *wanted; /* what the peer may open; NULL: nothing yet */
    void *wanted_context;
    const struct log *log;
};

struct conn;

/* The features a host offers on a direct connection. */
extern const feature_set conn_host_features;

/*
 * Do the handshake on transport, which the connection then owns, even on
 * failure. Blocks until the peer has answered or by passes. Fails with
 * ERR_UNAUTHORIZED when the peer requires a key that we do not have.
 */
MUST_USE bool conn_open(struct transport *transport,
                        const struct conn_options *options, struct deadline by,
                        struct conn **conn, struct err *err);

/*
 * Disconnect, from any thread: every call fails as if the peer were lost. The
 * connection must still be closed.
 */
void conn_hang_up(struct conn *conn);

/*
 * Disconnect and free. No call may be running, and all streams must have been
 * closed. NULL is fine.
 */
void conn_close(struct conn *conn);

/* The peer's banner. Valid as long as the connection. */
const struct banner *conn_peer(const struct conn *conn);

/* Features that both peers have named. */
feature_set conn_features(const struct conn *conn);

/* The protocol version in use, such as 0x01000001. */
uint32_t conn_version(const struct conn *conn);

/* The largest payload that both peers accept. */
uint32_t conn_max_payload(const struct conn *conn);

/* The log; may be NULL. */
const struct log *conn_log(const struct conn *conn);

/* Is the peer lost? Fills err (may be NULL) with the reason. Does not block. */
bool conn_is_lost(struct conn *conn, struct err *err);

/*
 * Open a service on the peer, such as "shell:ls". Blocks until the peer has
 * answered. Fails with ERR_REFUSED when the peer does not offer it.
 */
MUST_USE bool conn_open_stream(struct conn *conn, const char *service,
                               struct deadline by, struct stream **stream,
                               struct err *err);

/*
 * Set which services the peer may open on us from now on. NULL refuses all of
 * them, and makes a waiting conn_accept fail with ERR_CANCELLED.
 */
void conn_listen(struct conn *conn, conn_wanted_fn *wanted, void *context);

/*
 * Wait for the peer to open one of those services. On success service holds its
 * name, and stream is pending: conn_confirm accepts it, stream_close refuses
 * it. At most CONN_BACKLOG streams wait here; further ones are refused.
 */
#define CONN_BACKLOG 64
MUST_USE bool conn_accept(struct conn *conn, struct deadline by,
                          struct buf *service, struct stream **stream,
                          struct err *err);
MUST_USE bool conn_confirm(struct stream *stream, struct err *err);

#endif
