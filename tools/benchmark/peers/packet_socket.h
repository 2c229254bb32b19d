/*
 * ADB messages on a blocking socket: the least code that can speak to a peer.
 * It serves the zero-work device and the bare host, and trusts both.
 */
#ifndef TOOLS_BENCHMARK_PEERS_PACKET_SOCKET_H
#define TOOLS_BENCHMARK_PEERS_PACKET_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/wire/packet.h"
#include "base/err.h"

#define PACKET_SOCKET_SIZE (64U * 1024U)

struct packet_socket {
    int fd;            /* borrowed */
    size_t begin, end; /* what of in was not used yet */
    size_t queued;     /* bytes of out */
    char in[PACKET_SOCKET_SIZE];
    char out[4096];
};

/* The next message; payload is borrowed until the next call. */
MUST_USE bool packet_socket_next(struct packet_socket *packet_socket,
                                 struct packet *packet, const char **payload,
                                 struct err *err);

/* Queue a message with a small payload. */
void packet_socket_put(struct packet_socket *packet_socket, uint32_t command,
                       uint32_t arg0, uint32_t arg1, const void *payload,
                       size_t length);

/* Send what is queued, in one piece. */
MUST_USE bool packet_socket_flush(struct packet_socket *packet_socket,
                                  struct err *err);

/* Queue a greeting that names no feature. */
void packet_socket_put_greeting(struct packet_socket *packet_socket,
                                const char *banner);

#endif
