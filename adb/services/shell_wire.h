/*
 * The packets inside a shell v2 stream: an id, a length, that many bytes.
 *
 * A packet is handed on in pieces as its bytes arrive and is never gathered,
 * so a length costs nothing, whatever the device announces.
 */
#ifndef ADB_SERVICES_SHELL_WIRE_H
#define ADB_SERVICES_SHELL_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define SHELL_WIRE_HEADER_SIZE 5

enum shell_wire_id {
    SHELL_WIRE_STDIN = 0,
    SHELL_WIRE_STDOUT = 1,
    SHELL_WIRE_STDERR = 2,
    SHELL_WIRE_EXIT = 3,
    SHELL_WIRE_CLOSE_STDIN = 4,
    SHELL_WIRE_WINDOW_SIZE = 5,
};

/* The position in the stream of packets. All zeros at first. */
struct shell_wire {
    uint8_t header[SHELL_WIRE_HEADER_SIZE];
    size_t header_length; /* of it, so far */
    uint32_t left;        /* bytes of this packet that are still to come */
};

/* Some bytes of one packet; length is 0 when more bytes are needed first. */
struct shell_wire_piece {
    enum shell_wire_id id;
    const uint8_t *data; /* inside the caller's bytes */
    size_t length;
};

/*
 * Take the next piece from the front of data; *used says how much was eaten,
 * which is all of it when there is no piece.
 * Fails with ERR_PROTOCOL on an id that devices do not send and on an exit
 * status that is not one byte.
 */
MUST_USE bool shell_wire_next(struct shell_wire *wire, const uint8_t *data,
                              size_t size, size_t *used,
                              struct shell_wire_piece *piece, struct err *err);

/* Append one packet. */
void shell_wire_put(struct buf *packet, enum shell_wire_id id, const void *data,
                    size_t size);

#endif
