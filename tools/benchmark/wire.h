/*
 * ADB messages on a blocking socket: the least code that can speak to a peer.
 * It serves the zero-work device and the bare host, and trusts both.
 */
#ifndef TOOLS_BENCHMARK_WIRE_H
#define TOOLS_BENCHMARK_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/packet.h"
#include "base/err.h"

#define WIRE_SIZE (64U * 1024U)

struct wire {
    int fd;            /* borrowed */
    size_t begin, end; /* what of in was not used yet */
    size_t queued;     /* bytes of out */
    char in[WIRE_SIZE];
    char out[4096];
};

/* The next message; payload is borrowed until the next call. */
MUST_USE bool wire_next(struct wire *wire, struct packet *packet,
                        const char **payload, struct err *err);

/* Queue a message with a small payload. */
void wire_put(struct wire *wire, uint32_t command, uint32_t arg0, uint32_t arg1,
              const void *payload, size_t length);

/* Send what is queued, in one piece. */
MUST_USE bool wire_flush(struct wire *wire, struct err *err);

/* Queue a greeting that names no feature. */
void wire_put_greeting(struct wire *wire, const char *banner);

#endif
