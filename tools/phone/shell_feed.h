/*
 * The packets that a host sends into a shell v2 stream: input, its end, and
 * the size of its window. A packet is handed on in pieces, and never gathered.
 */
#ifndef PHONE_SHELL_FEED_H
#define PHONE_SHELL_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/shell_wire.h"

/* Where in the stream of packets we are. Born zeroed. */
struct shell_feed {
    uint8_t header[SHELL_WIRE_HEADER_SIZE];
    size_t header_length; /* of it, so far */
    uint32_t left;        /* bytes of this packet that are still to come */
};

enum shell_feed_kind {
    SHELL_FEED_NOTHING,
    SHELL_FEED_INPUT,
    SHELL_FEED_END,
};

struct shell_feed_piece {
    enum shell_feed_kind kind;
    const char *data; /* of INPUT; inside the caller's bytes */
    size_t length;
};

/*
 * Take the next piece from the front of size bytes, which are not none, and
 * return how many were eaten. What has no meaning is skipped, as adbd does.
 */
MUST_USE size_t shell_feed_next(struct shell_feed *feed, const char *data,
                                size_t size, struct shell_feed_piece *piece);

#endif
