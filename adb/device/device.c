#include "adb/device/device.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/device/server_stream.h"
#include "adb/device/status_reply.h"
#include "base/mem.h"

/*
 * How long to wait for a phone on USB to come back after a reset, and how often
 * to check.
 */
#define RETURN_MS 5000
#define LOOK_MS 200

/*
 * How long a phone may be silent before a new connection is tried, and how much
 * time must be left for another one.
 */
#define SILENCE_MS 2000
#define LAST_TRY_MS 1000

struct device {
    char *serial;                    /* owned */
    char *usb_place;                 /* owned; NULL: not on USB */
    struct conn *conn;               /* owned; NULL when it has none */
    struct device_services services; /* those in this process; or zeros */
    struct server_client server;     /* without either: the adb server */
    feature_set features;
    atomic_bool no_exec;
};

static struct device *new_device(const char *serial, feature_set features)
{
    struct device *device = mem_new(1, sizeof(*device));

    device->serial = mem_dup(serial);
    device->features = features;
    return device;
}

struct device *device_over_conn(struct conn *conn, const char *serial)
{
    struct device *device = new_device(serial, conn_features(conn));

    device->conn = conn;
    return device;
}

struct device *device_over_services(const struct device_services *services,
                                    const char *serial, feature_set features)
{
    struct device *device = new_device(serial, features);

    device->services = *services;
    return device;
}

static const struct device_options no_options = {0};

/* Do the handshake over transport, which the device then owns. */
static bool greet(struct transport *transport, const char *serial,
                  const struct device_options *how, struct deadline answer_by,
                  struct deadline by, struct device **device, struct err *err)
{
    const struct conn_options options = {
        .role = CONN_HOST,
        .banner = {.state = "host", .features = conn_host_features},
        .credentials = how->credentials,
        .answer_by = answer_by,
        .log = how->log,
    };
    struct conn *conn;

    if (!conn_open(transport, &options, by, &conn, err))
        return err_wrap(err, "%.100s", serial);
    *device = device_over_conn(conn, serial);
    return true;
}

/*
 * The time by which a phone must have sent something, so that another
 * connection can be tried afterwards: within patience_ms, or half of the time
 * that is left.
 */
static struct deadline answer_deadline(int64_t timeout_ms, struct deadline by)
{
    int left_ms = deadline_left_ms(by);

    if (left_ms >= 0 && left_ms < LAST_TRY_MS)
        return by;
    if (left_ms >= 0 && left_ms / 2 < timeout_ms)
        timeout_ms = left_ms / 2;
    return deadline_in_ms(timeout_ms);
}

static struct deadline connect_deadline(const struct device_options *how,
                                        struct deadline by)
{
    if (!how->connect_ms)
        return by;
    return deadline_sooner(by, deadline_in_ms(how->connect_ms));
}

static bool open_direct(const char *host, uint16_t port, const char *serial,
                        const struct device_options *how, struct deadline by,
                        struct device **device, struct err *err)
{
    how = how ? how : &no_options;
    for (int64_t timeout_ms = SILENCE_MS;; timeout_ms *= 2) {
        struct transport *transport;

        if (!tcp_open(host, port, (struct tcp_keepalive){0}, how->cancel,
                      connect_deadline(how, by), &transport, err))
            return false;
        if (greet(transport, serial, how, answer_deadline(timeout_ms, by), by,
                  device, err))
            return true;
        if (err->code != ERR_TIMEOUT || deadline_passed(by))
            return false;
        log_trace(how->log, LOG_CONN, "%s; trying a new connection", err->text);
    }
}

bool device_open_tcp(const char *host, uint16_t port,
                     const struct device_options *options, struct deadline by,
                     struct device **device, struct err *err)
{
    char serial[TCP_ADDRESS_MAX];

    tcp_format_address(host, port, serial);
    return open_direct(host, port, serial, options, by, device, err);
}

bool device_open_emulator(uint16_t console,
                          const struct device_options *options,
                          struct deadline by, struct device **device,
                          struct err *err)
{
    char serial[32];

    assert(console < UINT16_MAX);
    snprintf(serial, sizeof(serial), "emulator-%u", (unsigned)console);
    return open_direct("127.0.0.1", (uint16_t)(console + 1), serial, options,
                       by, device, err);
}

/* Open a phone that was reset, and may be gone for a moment. */
static bool reopen_usb(const char *place, const struct cancel *cancel,
                       struct deadline by, struct transport **transport,
                       struct err *err)
{
    struct deadline back = deadline_sooner(by, deadline_in_ms(RETURN_MS));
    struct usb_watch *watch = NULL;
    struct usb_phone phone;
    struct err not_yet;
    bool opened;

    if (!usb_watch_open(cancel, &watch, err))
        return false;
    do {
        opened = usb_open(place, cancel, by, &phone, transport, err);
        if (opened || err->code != ERR_NOT_FOUND)
            break;
        /* Without events, check now and then. */
        (void)!usb_watch_wait(watch, deadline_in_ms(LOOK_MS), &not_yet);
    } while (!deadline_passed(back) && !cancel_fired(cancel));
    usb_watch_close(watch);
    return opened;
}

/*
 * The previous program may have ended in the middle of a packet. The first
 * attempt then fails, but resets the phone, so there is a second one.
 */
bool device_open_usb(const char *name, const struct device_options *options,
                     struct deadline by, struct device **device,
                     struct err *err)
{
    struct transport *transport;
    struct usb_phone phone;

    options = options ? options : &no_options;
    if (!usb_open(name, options->cancel, by, &phone, &transport, err))
        return err_wrap(err, "%.100s", name);
    if (!greet(transport, phone.serial, options, by, by, device, err)) {
        if (err->code != ERR_LOST)
            return false;
        log_trace(options->log, LOG_CONN, "%s; trying again", err->text);
        if (!reopen_usb(phone.place, options->cancel, by, &transport, err))
            return err_wrap(err, "%.100s", name);
        if (!greet(transport, phone.serial, options, by, by, device, err))
            return false;
    }
    (*device)->usb_place = mem_dup(phone.place);
    return true;
}

/* Without an answer it is not known: NULL. */
static char *ask_usb_place(const struct server_client *server,
                           const char *serial, struct deadline by)
{
    struct buf request = BUF_INIT(SIZE_MAX);
    struct buf place = STATUS_REPLY_BLOCK_INIT;
    struct err ignored;
    char *found = NULL;

    buf_printf(&request, "host-serial:%s:get-devpath", serial);
    if (server_client_ask(server, buf_cstr(&request), by, &place, &ignored) &&
        !strncmp(buf_cstr(&place), "usb:", strlen("usb:")))
        found = mem_dup(buf_cstr(&place));
    buf_release(&request);
    buf_release(&place);
    return found;
}

bool device_open_server(const struct server_client *server, const char *serial,
                        struct deadline by, struct device **device,
                        struct err *err)
{
    struct device *opened;
    feature_set features = 0;

    /* A server too old for this request: assume no features. */
    if (!server_client_features(server, serial, by, &features, err) &&
        err->code != ERR_REMOTE)
        return false;
    opened = new_device(serial, features & conn_host_features);
    opened->server = *server;
    opened->usb_place = ask_usb_place(server, serial, by);
    *device = opened;
    return true;
}

void device_close(struct device *device)
{
    if (!device)
        return;
    conn_close(device->conn);
    free(device->serial);
    free(device->usb_place);
    free(device);
}

const char *device_serial(const struct device *device)
{
    return device->serial;
}

const char *device_usb_place(const struct device *device)
{
    return device->usb_place;
}

feature_set device_features(const struct device *device)
{
    return device->features;
}

bool device_has(const struct device *device, enum feature feature)
{
    return device->features & FEATURE_BIT(feature);
}

bool device_has_no_exec(const struct device *device)
{
    return atomic_load(&device->no_exec);
}

void device_set_no_exec(struct device *device)
{
    atomic_store(&device->no_exec, true);
}

struct conn *device_conn(const struct device *device)
{
    return device->conn;
}

const struct server_client *device_server(const struct device *device)
{
    return device->conn || device->services.open ? NULL : &device->server;
}

const struct log *device_log(const struct device *device)
{
    return device->conn ? conn_log(device->conn) : device->server.log;
}

/*
 * If the server no longer knows the phone, it was lost since it was opened. If
 * it is lost while the service is being opened, the server ends the connection
 * as if the service had been refused, or without an answer.
 */
static bool open_at_server(const struct device *device, const char *service,
                           struct deadline by, struct stream **stream,
                           struct err *err)
{
    struct stream *opened;

    if (!server_client_open_service(&device->server, device->serial, service,
                                    by, &opened, err)) {
        if (err->code == ERR_NOT_FOUND)
            err->code = ERR_LOST;
        if (err->code == ERR_CLOSED || err->code == ERR_REFUSED)
            (void)!server_stream_check_phone(&device->server, device->serial,
                                             by, err);
        return false;
    }
    *stream = server_stream_new(opened, &device->server, device->serial);
    return true;
}

bool device_open_service(struct device *device, const char *service,
                         struct deadline by, struct stream **stream,
                         struct err *err)
{
    if (device->conn)
        return conn_open_stream(device->conn, service, by, stream, err);
    if (device->services.open)
        return device->services.open(device->services.context, service, by,
                                     stream, err);
    return open_at_server(device, service, by, stream, err);
}
