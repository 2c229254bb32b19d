/*
 * A running adb server (port 5037), used as it is and never killed.
 *
 * Each request is a connection of its own. Whatever version answers is spoken
 * to; what it cannot do fails with its own words.
 */
#ifndef ADB_SERVER_H
#define ADB_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/banner.h"
#include "adb/stream.h"
#include "adb/tcp.h"
#include "base/buf.h"
#include "base/cancel.h"
#include "base/log.h"

#define SERVER_DEFAULT_PORT 5037

/* Where the server is. A plain value: nothing is open between calls. */
struct server {
    char host[TCP_HOST_MAX];
    uint16_t port;
    const struct cancel *cancel; /* borrowed; may be NULL */
    const struct log *log;       /* borrowed; may be NULL */
};

/*
 * The server that ANDROID_ADB_SERVER_ADDRESS, ANDROID_ADB_SERVER_PORT and
 * ADB_SERVER_SOCKET (tcp:HOST:PORT) name, or 127.0.0.1:5037.
 * Fails with ERR_INVALID when they make no sense.
 */
MUST_USE bool server_from_environment(struct server *server, struct err *err);

/* A device as the server lists it. */
struct server_device {
    char serial[128];
    char state[24]; /* "device", "offline", "unauthorized", ... */
    char product[64];
    char model[64];
    char device[64];
    uint64_t transport_id; /* 0: not told */
};

#define SERVER_DEVICES_MAX 256

struct server_devices {
    struct server_device *items; /* owned */
    size_t count;
};

void server_devices_release(struct server_devices *devices);

/* The server's protocol version, such as 41. ERR_UNREACHABLE: none runs. */
MUST_USE bool server_version(const struct server *server, struct deadline by,
                             unsigned *version, struct err *err);

MUST_USE bool server_list(const struct server *server, struct deadline by,
                          struct server_devices *devices, struct err *err);

/*
 * Parse the text of host:devices-l. Lines that name no device, or one that
 * nobody could ask for, are skipped; so is what exceeds SERVER_DEVICES_MAX.
 */
void server_parse_devices(const char *text, size_t length,
                          struct server_devices *devices);

/* The list of devices, followed as it changes. */
struct server_tracker;

MUST_USE bool server_track(const struct server *server, struct deadline by,
                           struct server_tracker **tracker, struct err *err);

/*
 * Block until the list changes; the first call tells it as it is. devices is
 * filled anew, and the caller releases it. Phones that come, go online or go
 * away are told; 29.0.6 is silent about one that becomes unauthorized.
 * Fails with ERR_TIMEOUT when nothing changed by then, and may be called again;
 * with ERR_CLOSED when the server was stopped.
 */
MUST_USE bool server_track_next(struct server_tracker *tracker,
                                struct deadline by,
                                struct server_devices *devices,
                                struct err *err);

/* NULL is fine. */
void server_track_close(struct server_tracker *tracker);

/* What the device itself has named. */
MUST_USE bool server_features(const struct server *server, const char *serial,
                              struct deadline by, feature_set *features,
                              struct err *err);

/*
 * Open a service on the device with that serial. ERR_NOT_FOUND: the server
 * does not know it; ERR_LOST: offline; ERR_UNAUTHORIZED; ERR_REFUSED: the
 * device does not offer the service.
 */
MUST_USE bool server_open_service(const struct server *server,
                                  const char *serial, const char *service,
                                  struct deadline by, struct stream **stream,
                                  struct err *err);

/*
 * Ask the server itself, such as "host:version" or "host-serial:S:features";
 * reply (may be NULL) takes its length-prefixed answer.
 */
MUST_USE bool server_ask(const struct server *server, const char *request,
                         struct deadline by, struct buf *reply,
                         struct err *err);

#endif
