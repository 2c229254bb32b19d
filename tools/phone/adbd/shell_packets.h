/*
 * Parses the packets of a host in a shell v2 stream: input, its end, and the
 * window size. Packets are delivered in pieces, and never collected.
 */
#ifndef TOOLS_PHONE_ADBD_SHELL_PACKETS_H
#define TOOLS_PHONE_ADBD_SHELL_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/services/shell_wire.h"

/* The position in the stream of packets. Starts zeroed. */
struct shell_packets {
    uint8_t header[SHELL_WIRE_HEADER_SIZE];
    size_t header_length; /* bytes of the header so far */
    uint32_t left;        /* remaining bytes of this packet */
};

enum shell_packets_kind {
    SHELL_PACKETS_NOTHING,
    SHELL_PACKETS_INPUT,
    SHELL_PACKETS_END,
};

struct shell_packets_piece {
    enum shell_packets_kind kind;
    const char *data; /* of INPUT; inside the caller's bytes */
    size_t length;
};

/*
 * Take the next piece from the start of size bytes (at least one), and return
 * how many were consumed. Unknown packets are skipped, as adbd does.
 */
MUST_USE size_t shell_packets_next(struct shell_packets *feed, const char *data,
                                   size_t size,
                                   struct shell_packets_piece *piece);

#endif
