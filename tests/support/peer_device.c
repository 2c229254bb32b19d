#include "tests/support/peer_device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define SOON deadline_in_ms(60000)

static const char *serial(void)
{
    const char *value = getenv("PROCTOR_PEER_ADBD");

    if (!value)
        fail_msg("there is no peer: run this with tests/peers/with-adbd");
    return value;
}

static bool open_server(struct device **device, struct err *err)
{
    struct server server;

    return server_from_environment(&server, err) &&
           device_open_server(&server, serial(), SOON, device, err);
}

static bool open_direct(struct device **device, struct err *err)
{
    char host[TCP_HOST_MAX];
    uint16_t port;

    return tcp_parse_address(serial(), 0, host, &port, err) &&
           device_open_tcp(host, port, NULL, SOON, device, err);
}

static bool open_old(struct device **device, struct err *err)
{
    const struct conn_options options = {
        .role = CONN_HOST,
        .banner = {.state = "host"},
        .version = PACKET_VERSION_MIN,
        .max_payload = PACKET_MAX_PAYLOAD_V1,
    };
    char host[TCP_HOST_MAX];
    struct transport *transport;
    struct conn *conn;
    uint16_t port;

    if (!tcp_parse_address(serial(), 0, host, &port, err) ||
        !tcp_open(host, port, (struct tcp_keepalive){0}, NULL, SOON, &transport,
                  err) ||
        !conn_open(transport, &options, SOON, &conn, err))
        return false;
    *device = device_over_conn(conn, serial());
    return true;
}

struct device *peer_device_open(enum peer_way way)
{
    struct device *device = NULL;
    struct err err = ERR_INIT;
    bool open = false;

    switch (way) {
    case PEER_DIRECT:
        open = open_direct(&device, &err);
        break;
    case PEER_SERVER:
        open = open_server(&device, &err);
        break;
    case PEER_OLD:
        open = open_old(&device, &err);
        break;
    }
    if (!open)
        fail_msg("%s", err.text);
    return device;
}
