#include "tests/support/adb/stock_adbd.h"

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
    struct server_client server;

    return server_client_from_environment(&server, err) &&
           device_open_server(&server, serial(), SOON, device, err);
}

static bool open_direct(const char *address, struct device **device,
                        struct err *err)
{
    char host[TCP_HOST_MAX];
    uint16_t port;

    return tcp_parse_address(address, 0, host, &port, err) &&
           device_open_tcp(host, port, NULL, SOON, device, err);
}

static bool open_as(const char *address, const struct conn_options *options,
                    struct device **device, struct err *err)
{
    char host[TCP_HOST_MAX];
    struct transport *transport;
    struct conn *conn;
    uint16_t port;

    if (!tcp_parse_address(address, 0, host, &port, err) ||
        !tcp_open(host, port, (struct tcp_keepalive){0}, NULL, SOON, &transport,
                  err) ||
        !conn_open(transport, options, SOON, &conn, err))
        return false;
    *device = device_over_conn(conn, address);
    return true;
}

static bool open_classic(const char *address, struct device **device,
                         struct err *err)
{
    const struct conn_options options = {
        .role = CONN_HOST,
        .banner = {.state = "host",
                   .features =
                       conn_host_features & ~FEATURE_BIT(FEATURE_DELAYED_ACK)},
    };

    return open_as(address, &options, device, err);
}

static bool open_old(const char *address, struct device **device,
                     struct err *err)
{
    const struct conn_options options = {
        .role = CONN_HOST,
        .banner = {.state = "host"},
        .version = PACKET_VERSION_MIN,
        .max_payload = PACKET_MAX_PAYLOAD_V1,
    };

    return open_as(address, &options, device, err);
}

struct device *stock_adbd_open_at(const char *address,
                                  enum stock_adbd_route way)
{
    struct device *device = NULL;
    struct err err = ERR_INIT;
    bool open = false;

    switch (way) {
    case STOCK_ADBD_DIRECT:
        open = open_direct(address, &device, &err);
        break;
    case STOCK_ADBD_SERVER:
        open = open_server(&device, &err);
        break;
    case STOCK_ADBD_CLASSIC:
        open = open_classic(address, &device, &err);
        break;
    case STOCK_ADBD_OLD:
        open = open_old(address, &device, &err);
        break;
    }
    if (!open)
        fail_msg("%s", err.text);
    return device;
}

struct device *stock_adbd_open(enum stock_adbd_route way)
{
    return stock_adbd_open_at(serial(), way);
}
