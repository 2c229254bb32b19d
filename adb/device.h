/*
 * A phone we can open services on, directly or through an adb server.
 *
 * Everything above (shell, sync, ...) is written against this and struct
 * stream, and does not know how the phone is reached.
 */
#ifndef ADB_DEVICE_H
#define ADB_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/banner.h"
#include "adb/conn.h"
#include "adb/server.h"
#include "adb/stream.h"
#include "adb/usb.h"

struct device;

/* How a phone is opened directly. Each is borrowed and may be NULL. */
struct device_options {
    const struct auth_credentials *credentials; /* for the call; NULL: no key */
    const struct cancel *cancel; /* ends it and, later, every call on it */
    const struct log *log;       /* as long as the device */
};

/*
 * Connect directly over TCP; the serial is then "HOST:PORT".
 * Blocks until the phone has answered. options may be NULL: none of them.
 * Fails as tcp_open and conn_open do.
 */
MUST_USE bool device_open_tcp(const char *host, uint16_t port,
                              const struct device_options *options,
                              struct deadline by, struct device **device,
                              struct err *err);

/*
 * Connect directly to an emulator on this computer, known by the port of its
 * console: "emulator-5554" listens for ADB one port higher.
 */
MUST_USE bool device_open_emulator(uint16_t console,
                                   const struct device_options *options,
                                   struct deadline by, struct device **device,
                                   struct err *err);

/*
 * Connect directly to the phone on USB that is called name. Fails as usb_open
 * and conn_open do.
 */
MUST_USE bool device_open_usb(const char *name,
                              const struct device_options *options,
                              struct deadline by, struct device **device,
                              struct err *err);

/*
 * Use the phone that server lists under serial. server is copied, but not the
 * cancel and log in it. Fails as server_open_service does.
 */
MUST_USE bool device_open_server(const struct server *server,
                                 const char *serial, struct deadline by,
                                 struct device **device, struct err *err);

/* Wrap a connection, which the device then owns. */
struct device *device_over_conn(struct conn *conn, const char *serial);

/* NULL is fine. All streams must have been closed. */
void device_close(struct device *device);

const char *device_serial(const struct device *device);

/* Have both sides named this feature? */
bool device_has(const struct device *device, enum feature feature);

/* The direct connection, or NULL when an adb server is in between. */
struct conn *device_conn(const struct device *device);

/* The server in between, or NULL when the connection is direct. */
const struct server *device_server(const struct device *device);

/* Where it traces to; may be NULL. */
const struct log *device_log(const struct device *device);

/* Open a service by its name on the wire: see conn_open_stream. */
MUST_USE bool device_open_service(struct device *device, const char *service,
                                  struct deadline by, struct stream **stream,
                                  struct err *err);

#endif
