/*
 * The server role: an adb server in this process that shows given phones to
 * its clients.
 *
 * It answers as AOSP's server (protocol version 41) does, so stock adb and
 * client libraries can use it. Requests that would affect the server or the way
 * to a phone ("kill-server", "root", "reboot", ...) are answered as AOSP
 * words it, and not carried out unless the policy allows it; see
 * docs/adb-server.md.
 *
 * Each client is served by its own thread; a client that is slow, silent or
 * dead affects no other one. At most ADB_SERVER_CLIENTS_MAX are connected. For
 * a further one, the connection that has waited longest for a request is
 * closed; if all of them are busy, the new one is.
 */
#ifndef ADB_SERVER_ADB_SERVER_H
#define ADB_SERVER_ADB_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/connection/stream.h"
#include "adb/services/local_endpoint.h"
#include "adb/wire/banner.h"
#include "base/log.h"

#define ADB_SERVER_PROTOCOL 41 /* the version that clients compare */
#define ADB_SERVER_CLIENTS_MAX 384
#define ADB_SERVER_FORWARDS_MAX 32

/*
 * A phone as the server reaches it. The functions are called from threads of
 * the clients, several at once.
 */
struct adb_server_phone_ops {
    /*
     * Open a service, such as "shell,v2,raw:ls"; the stream is the caller's to
     * close. Blocks until the phone has answered. Fails as device_open_service
     * does: ERR_REFUSED when the phone does not offer it. The client gets
     * OKAY or FAIL, then the bytes of the stream.
     */
    bool (*open)(void *context, const char *service, struct deadline by,
                 struct stream **stream, struct err *err);
    /* Is the phone lost (state "offline")? Does not block. */
    bool (*is_lost)(void *context);
};

struct adb_server_phone {
    const char *serial;
    struct banner banner; /* names, and the features that clients may use */
    const char *devpath;  /* such as "usb:1-2"; NULL: none */
    bool usb;             /* listed as a phone on USB, not on TCP */
    const struct adb_server_phone_ops *ops;
    void *context;
};

/* Requests about the phone and its adbd that are allowed; none by default. */
struct adb_server_policy {
    bool reboot;       /* reboot: */
    bool restart_adbd; /* root:, unroot:, tcpip:, usb:, reconnect */
    bool remount;      /* remount:, disable-verity:, enable-verity: */
    bool debug;        /* jdwp, track-jdwp, track-app */
};

/* Everything is borrowed until adb_server_stop. */
struct adb_server_options {
    const struct adb_server_phone *phones; /* their transport ids: 1, 2, ... */
    size_t phone_count;
    struct adb_server_policy policy;
    const struct local_network *network; /* where forwards listen; may be NULL:
                                            in this process's network */
    const struct log *log;               /* may be NULL */
};

struct adb_server;

MUST_USE bool adb_server_start(const struct adb_server_options *options,
                               struct adb_server **server, struct err *err);

/*
 * Listen for clients on address, such as "127.0.0.1", and port; *bound is the
 * port, also when port 0 let the system choose one. At most once per server,
 * including adb_server_listen_on.
 */
MUST_USE bool adb_server_listen(struct adb_server *server, const char *address,
                                uint16_t port, uint16_t *bound,
                                struct err *err);

/*
 * Accept clients on a socket that listens already, such as one of another
 * network namespace. It is owned on success only.
 */
MUST_USE bool adb_server_listen_on(struct adb_server *server, int listener,
                                   struct err *err);

/* Serve the client at the other end of a socket, which is then owned. */
void adb_server_adopt(struct adb_server *server, int fd);

/*
 * End all forwards and disconnect every client, and wait for all threads. Every
 * stream of the phones is closed then. Blocks while a phone is opening a
 * service. NULL is fine.
 */
void adb_server_stop(struct adb_server *server);

#endif
