/* A phone on a TCP port, with one of several behaviours. */
#ifndef TESTS_SUPPORT_ADB_TCP_PHONE_H
#define TESTS_SUPPORT_ADB_TCP_PHONE_H

#include <stdint.h>

enum tcp_phone_behaviour {
    TCP_PHONE_TRUSTS,    /* a loopback_device for every connection */
    TCP_PHONE_WANTS_KEY, /* accepts no key */
    TCP_PHONE_SILENT,    /* accepts connections and stays silent */
};

struct tcp_phone;

/* port 0: a free one. */
struct tcp_phone *tcp_phone_start(uint16_t port,
                                  enum tcp_phone_behaviour behaviour);
uint16_t tcp_phone_port(const struct tcp_phone *peer);

/* All hosts must have disconnected. */
void tcp_phone_stop(struct tcp_phone *peer);

/* A port that refuses connections: it was free a moment ago. */
uint16_t tcp_phone_refusing_port(void);

#endif
