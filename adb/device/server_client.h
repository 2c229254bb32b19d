/*
 * Client of a running adb server (port 5037), which is never killed.
 *
 * Each request uses its own connection. Every server version works; a request
 * that the server does not support fails with the server's message.
 */
#ifndef ADB_DEVICE_SERVER_CLIENT_H
#define ADB_DEVICE_SERVER_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/connection/stream.h"
#include "adb/transport/tcp.h"
#include "adb/wire/banner.h"
#include "base/buf.h"
#include "base/cancel.h"
#include "base/log.h"

/*
 * Behind the path of our adb program: a file with the address of its server.
 * Some programs run adb without the environment that they were given.
 */
#define SERVER_CLIENT_FILE ".server"

#define SERVER_CLIENT_DEFAULT_PORT 5037

/* The server's address. A plain value: nothing stays open between calls. */
struct server_client {
    char host[TCP_HOST_MAX];
    uint16_t port;
    const struct cancel *cancel; /* borrowed; may be NULL */
    const struct log *log;       /* borrowed; may be NULL */
};

/*
 * The server named by ANDROID_ADB_SERVER_ADDRESS, ANDROID_ADB_SERVER_PORT and
 * ADB_SERVER_SOCKET (tcp:HOST:PORT), or 127.0.0.1:5037. Fails with ERR_INVALID
 * when their values are invalid.
 */
MUST_USE bool server_client_from_environment(struct server_client *server,
                                             struct err *err);

/* A device as the server lists it. */
struct server_device {
    char serial[128];
    char state[24]; /* "device", "offline", "unauthorized", ... */
    char product[64];
    char model[64];
    char device[64];
    uint64_t transport_id; /* 0: unknown */
};

#define SERVER_DEVICE_LIST_MAX 256

struct server_device_list {
    struct server_device *items; /* owned */
    size_t count;
};

void server_device_list_release(struct server_device_list *devices);

/* The server's protocol version, such as 41. ERR_UNREACHABLE: not running. */
MUST_USE bool server_client_version(const struct server_client *server,
                                    struct deadline by, unsigned *version,
                                    struct err *err);

MUST_USE bool server_client_list(const struct server_client *server,
                                 struct deadline by,
                                 struct server_device_list *devices,
                                 struct err *err);

/*
 * Parse the text of host:devices-l. Lines without a device, or with a serial
 * that no request could contain, are skipped, as are those beyond
 * SERVER_DEVICE_LIST_MAX.
 */
void server_device_list_parse(const char *text, size_t length,
                              struct server_device_list *devices);

/* Follows changes of the list of devices. */
struct server_tracker;

MUST_USE bool server_client_track(const struct server_client *server,
                                  struct deadline by,
                                  struct server_tracker **tracker,
                                  struct err *err);

/*
 * Block until the list changes; the first call returns the current list.
 * devices is replaced, and the caller releases it. Phones that come, go online
 * or go away are reported; 29.0.6 does not report one that becomes
 * unauthorized. Fails with ERR_TIMEOUT when nothing has changed (and may be
 * called again), and with ERR_CLOSED when the server was stopped.
 */
MUST_USE bool server_client_track_next(struct server_tracker *tracker,
                                       struct deadline by,
                                       struct server_device_list *devices,
                                       struct err *err);

/* NULL is fine. */
void server_client_track_close(struct server_tracker *tracker);

/* The features that the device has named. */
MUST_USE bool server_client_features(const struct server_client *server,
                                     const char *serial, struct deadline by,
                                     feature_set *features, struct err *err);

/*
 * Open a service on the device with that serial. ERR_NOT_FOUND: the server does
 * not know it; ERR_LOST: it is offline; ERR_UNAUTHORIZED; ERR_REFUSED: the
 * device does not offer the service.
 */
MUST_USE bool server_client_open_service(
    const struct server_client *server, const char *serial, const char *service,
    struct deadline by, struct stream **stream, struct err *err);

/*
 * Send a request to the server itself, such as "host:version" or
 * "host-serial:S:features"; reply (may be NULL) receives its length-prefixed
 * answer.
 */
MUST_USE bool server_client_ask(const struct server_client *server,
                                const char *request, struct deadline by,
                                struct buf *reply, struct err *err);

/* The same; stream gives everything that follows the server's OKAY. */
MUST_USE bool server_client_begin(const struct server_client *server,
                                  const char *request, struct deadline by,
                                  struct stream **stream, struct err *err);

#endif
