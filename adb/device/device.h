/*
 * A phone, connected directly or through an adb server.
 *
 * The layers above (shell, sync, ...) use only this and struct stream; they do
 * not depend on how the phone is reached.
 */
#ifndef ADB_DEVICE_DEVICE_H
#define ADB_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/connection/conn.h"
#include "adb/connection/stream.h"
#include "adb/device/server_client.h"
#include "adb/transport/usb.h"
#include "adb/wire/banner.h"

struct device;

/* Options for a direct connection. Pointers are borrowed and may be NULL. */
struct device_options {
    const struct auth_credentials
        *credentials; /* only during the call; NULL: no key */
    const struct cancel
        *cancel; /* cancels the call and, later, every call on the device */
    const struct log *log; /* must outlive the device */
    int64_t connect_ms;    /* limit for one TCP connect; 0: none */
};

/*
 * Connect directly over TCP; the serial is then "HOST:PORT". Blocks until the
 * phone has answered. options may be NULL.
 *
 * If the phone accepts the connection and sends nothing for two seconds, a new
 * connection is tried, each time with a longer wait: adbd of Android 4.4 never
 * answers a connection that was made while another one was being closed. Fails
 * as tcp_open and conn_open do.
 */
MUST_USE bool device_open_tcp(const char *host, uint16_t port,
                              const struct device_options *options,
                              struct deadline by, struct device **device,
                              struct err *err);

/*
 * Connect directly to an emulator on this computer, given the port of its
 * console: "emulator-5554" listens for ADB on the next port.
 */
MUST_USE bool device_open_emulator(uint16_t console,
                                   const struct device_options *options,
                                   struct deadline by, struct device **device,
                                   struct err *err);

/*
 * Connect directly to the phone on USB called name. Fails as usb_open and
 * conn_open do.
 */
MUST_USE bool device_open_usb(const char *name,
                              const struct device_options *options,
                              struct deadline by, struct device **device,
                              struct err *err);

/*
 * Use the phone that the server lists under serial. server is copied, but not
 * its cancel and log. Fails as server_client_open_service does.
 */
MUST_USE bool device_open_server(const struct server_client *server,
                                 const char *serial, struct deadline by,
                                 struct device **device, struct err *err);

/* Wrap a connection, which the device then owns. */
struct device *device_over_conn(struct conn *conn, const char *serial);

/* Opens the services of a phone that is neither a connection nor a server's. */
struct device_services {
    bool (*open)(void *context, const char *service, struct deadline by,
                 struct stream **stream, struct err *err);
    void *context; /* borrowed; must outlive the device */
};

/* A phone in this process, reached by calls instead of a connection. */
struct device *device_over_services(const struct device_services *services,
                                    const char *serial, feature_set features);

/* NULL is fine. All streams must have been closed. */
void device_close(struct device *device);

const char *device_serial(const struct device *device);

/*
 * The place of a phone on USB of this computer or of its adb server, such as
 * "usb:1-2"; NULL: it is reached in another way, or the server does not say.
 */
const char *device_usb_place(const struct device *device);

/* Have both peers named this feature? */
bool device_has(const struct device *device, enum feature feature);

/* All features that both peers have named. */
feature_set device_features(const struct device *device);

/*
 * Does the device lack the exec: service (Android before 5)? False until a
 * refused request has shown it, which device_set_no_exec records. From any
 * thread.
 */
bool device_has_no_exec(const struct device *device);
void device_set_no_exec(struct device *device);

/* The direct connection; NULL: there is none. */
struct conn *device_conn(const struct device *device);

/* The adb server; NULL: it is reached without one. */
const struct server_client *device_server(const struct device *device);

/* The log; may be NULL. */
const struct log *device_log(const struct device *device);

/* Open a service by its protocol name; see conn_open_stream. */
MUST_USE bool device_open_service(struct device *device, const char *service,
                                  struct deadline by, struct stream **stream,
                                  struct err *err);

#endif
