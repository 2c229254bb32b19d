/*
 * One connection to one ADB peer, carrying many streams at once.
 *
 * A connection is a monitor: any thread may call it, each call has a deadline,
 * and the caller that waits reads the transport itself. A background thread
 * reads only while nobody waits, so that a lost peer is noticed and its OPENs
 * are answered. A lost peer wakes every waiter with the same error, and every
 * later call fails with it at once.
 *
 * The code knows no side: a host and a device differ in who greets first.
 */
#ifndef ADB_CONN_H
#define ADB_CONN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/auth.h"
#include "adb/banner.h"
#include "adb/packet.h"
#include "adb/stream.h"
#include "adb/transport.h"
#include "base/buf.h"
#include "base/log.h"

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
    struct banner banner; /* what we say of ourselves */
    uint32_t version;     /* 0: the newest; tests play old peers */
    uint32_t max_payload; /* 0: what packet.h has for new peers */
    const struct auth_credentials *credentials; /* host; NULL: no keys */
    const struct auth_gate *gate; /* device; NULL: everybody may come in */
    conn_wanted_fn *wanted; /* what the peer may open; NULL: nothing yet */
    void *wanted_context;
    const struct log *log;
};

struct conn;

/* The features a host offers on a direct connection. */
extern const feature_set conn_host_features;

/*
 * Greet the peer on transport, which the connection then owns, even when this
 * fails. Blocks until the peer has answered or by passes.
 * Fails with ERR_UNAUTHORIZED when the peer wants a key we cannot give.
 */
MUST_USE bool conn_open(struct transport *transport,
                        const struct conn_options *options, struct deadline by,
                        struct conn **conn, struct err *err);

/*
 * Hang up on the peer, from any thread: every call fails as if it were lost.
 * The connection is still to be closed.
 */
void conn_hang_up(struct conn *conn);

/*
 * Hang up. Nobody may be in a call, and all its streams must have been closed.
 * NULL is fine.
 */
void conn_close(struct conn *conn);

/* What the peer said of itself. Lives as long as the connection. */
const struct banner *conn_peer(const struct conn *conn);

/* Features that both sides have named. */
feature_set conn_features(const struct conn *conn);

/* The version both sides speak, such as 0x01000001. */
uint32_t conn_version(const struct conn *conn);

/* What both sides can take in one packet. */
uint32_t conn_max_payload(const struct conn *conn);

/* Where it traces to; may be NULL. */
const struct log *conn_log(const struct conn *conn);

/* Is the peer gone? Fills err (may be NULL) with why. Does not block. */
bool conn_is_lost(struct conn *conn, struct err *err);

/*
 * Open a service on the peer, such as "shell:ls". Blocks for its answer.
 * Fails with ERR_REFUSED when the peer does not offer it.
 */
MUST_USE bool conn_open_stream(struct conn *conn, const char *service,
                               struct deadline by, struct stream **stream,
                               struct err *err);

/*
 * Say which services the peer may open on us from now on. NULL refuses
 * everything, and ends a conn_accept that waits with ERR_CANCELLED.
 */
void conn_listen(struct conn *conn, conn_wanted_fn *wanted, void *context);

/*
 * Wait for the peer to open one of those services. On success service holds
 * its name, and stream is pending: conn_confirm lets it begin, stream_close
 * turns it down. At most CONN_BACKLOG wait here; the peer is refused beyond.
 */
#define CONN_BACKLOG 64
MUST_USE bool conn_accept(struct conn *conn, struct deadline by,
                          struct buf *service, struct stream **stream,
                          struct err *err);
MUST_USE bool conn_confirm(struct stream *stream, struct err *err);

#endif
