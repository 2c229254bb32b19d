/*
 * How sockets of a private network are asked for: one request and one reply,
 * each a message on a SOCK_SEQPACKET socket. The reply has the socket, if there
 * is no error.
 */
#ifndef RUNNER_DOORS_PRIVATE_NETWORK_WIRE_H
#define RUNNER_DOORS_PRIVATE_NETWORK_WIRE_H

#include <stdint.h>

enum network_request_kind {
    NETWORK_LISTEN = 1,
    NETWORK_CONNECT,
    NETWORK_START, /* no further addresses before the program starts */
};

struct network_request {
    uint32_t kind;
    uint32_t address; /* IPv4, in this computer's byte order */
    uint16_t port;    /* 0: any free one */
};

struct network_reply {
    int32_t error; /* an errno; 0: none */
    uint16_t port; /* that a listener got */
};

#endif
