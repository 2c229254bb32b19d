/* The TCP transport: emulators, phones on Wi-Fi, adb servers. */
#ifndef ADB_TRANSPORT_TCP_H
#define ADB_TRANSPORT_TCP_H

#include <stdint.h>

#include "adb/transport/transport.h"
#include "base/cancel.h"

/* The default port of phones and of the first emulator. */
#define TCP_DEFAULT_PORT 5555

/* When a silent peer is considered dead; 0 means the default. */
struct tcp_keepalive {
    int idle_s;     /* seconds of silence before the first probe: 10 */
    int interval_s; /* seconds between probes: 5 */
    int probes;     /* unanswered probes before giving up: 3 */
};

/*
 * Connect to host (a name, an IPv4 or a bare IPv6 address) and port.
 *
 * Blocks until connected, by passes, or cancel is fired (may be NULL; borrowed
 * until the transport is closed). Each address of the name is tried. Fails with
 * ERR_UNREACHABLE when nothing answers there.
 */
MUST_USE bool tcp_open(const char *host, uint16_t port,
                       struct tcp_keepalive keepalive,
                       const struct cancel *cancel, struct deadline by,
                       struct transport **transport, struct err *err);

/* The same, but returns a connected non-blocking socket. */
MUST_USE bool tcp_connect(const char *host, uint16_t port,
                          const struct cancel *cancel, struct deadline by,
                          int *connected, struct err *err);

/* Wrap a connected socket, which the transport then owns, even on failure. */
MUST_USE bool tcp_wrap(int fd, struct tcp_keepalive keepalive,
                       const struct cancel *cancel,
                       struct transport **transport, struct err *err);

/*
 * Split "HOST", "HOST:PORT" or "[IPV6]:PORT". host has room for 256 bytes.
 * Fails with ERR_INVALID and a message that shows the form expected.
 */
#define TCP_HOST_MAX 256
MUST_USE bool tcp_parse_address(const char *text, uint16_t default_port,
                                char host[TCP_HOST_MAX], uint16_t *port,
                                struct err *err);

/* A decimal port, 1 to 65535, and nothing after it. */
MUST_USE bool tcp_parse_port(const char *text, uint16_t *port);

/* The inverse of tcp_parse_address: "HOST:PORT" or "[IPV6]:PORT". */
#define TCP_ADDRESS_MAX (TCP_HOST_MAX + 16)
void tcp_format_address(const char *host, uint16_t port,
                        char text[TCP_ADDRESS_MAX]);

#endif
