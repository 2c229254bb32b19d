#include "adb/device.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

/* How long a phone on USB that was set back may be gone, and how often to
 * look for it. */
#define RETURN_MS 5000
#define LOOK_MS 200

struct device {
    char *serial;         /* owned */
    struct conn *conn;    /* owned; NULL when a server is in between */
    struct server server; /* that server */
    feature_set features;
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

static const struct device_options no_options = {0};

/* Greet the phone at the other end of transport, which becomes its own. */
static bool greet(struct transport *transport, const char *serial,
                  const struct device_options *how, struct deadline by,
                  struct device **device, struct err *err)
{
    const struct conn_options options = {
        .role = CONN_HOST,
        .banner = {.state = "host", .features = conn_host_features},
        .credentials = how->credentials,
        .log = how->log,
    };
    struct conn *conn;

    if (!conn_open(transport, &options, by, &conn, err))
        return err_wrap(err, "%.100s", serial);
    *device = device_over_conn(conn, serial);
    return true;
}

static bool open_direct(const char *host, uint16_t port, const char *serial,
                        const struct device_options *how, struct deadline by,
                        struct device **device, struct err *err)
{
    struct transport *transport;

    how = how ? how : &no_options;
    return tcp_open(host, port, (struct tcp_keepalive){0}, how->cancel, by,
                    &transport, err) &&
           greet(transport, serial, how, by, device, err);
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

/* Open a phone that was set back, and may be gone for a moment. */
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
        /* Where nobody tells of arrivals, a look now and then must do. */
        (void)!usb_watch_wait(watch, deadline_in_ms(LOOK_MS), &not_yet);
    } while (!deadline_passed(back) && !cancel_fired(cancel));
    usb_watch_close(watch);
    return opened;
}

/*
 * Whoever used the phone last may have ended in the middle of a packet. The
 * attempt that is lost to that also puts an end to it, so there is a second.
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
    if (greet(transport, phone.serial, options, by, device, err))
        return true;
    if (err->code != ERR_LOST)
        return false;
    log_trace(options->log, LOG_CONN, "%s; trying again", err->text);
    if (!reopen_usb(phone.place, options->cancel, by, &transport, err))
        return err_wrap(err, "%.100s", name);
    return greet(transport, phone.serial, options, by, device, err);
}

bool device_open_server(const struct server *server, const char *serial,
                        struct deadline by, struct device **device,
                        struct err *err)
{
    struct device *opened;
    feature_set features = 0;

    /* A server too old to tell speaks for a phone without any. */
    if (!server_features(server, serial, by, &features, err) &&
        err->code != ERR_REMOTE)
        return false;
    opened = new_device(serial, features & conn_host_features);
    opened->server = *server;
    *device = opened;
    return true;
}

void device_close(struct device *device)
{
    if (!device)
        return;
    conn_close(device->conn);
    free(device->serial);
    free(device);
}

const char *device_serial(const struct device *device)
{
    return device->serial;
}

bool device_has(const struct device *device, enum feature feature)
{
    return device->features & FEATURE_BIT(feature);
}

struct conn *device_conn(const struct device *device)
{
    return device->conn;
}

const struct server *device_server(const struct device *device)
{
    return device->conn ? NULL : &device->server;
}

const struct log *device_log(const struct device *device)
{
    return device->conn ? conn_log(device->conn) : device->server.log;
}

bool device_open_service(struct device *device, const char *service,
                         struct deadline by, struct stream **stream,
                         struct err *err)
{
    if (device->conn)
        return conn_open_stream(device->conn, service, by, stream, err);
    return server_open_service(&device->server, device->serial, service, by,
                               stream, err);
}
