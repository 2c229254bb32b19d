/*
 * Bytes from a transport, made into packets.
 *
 * Small packets arrive many to a read; large payloads are read straight into
 * the memory that their packet was given when its header came.
 *
 *            receiver_next              receiver_next
 *   HEADER ────────────────▶ PAYLOAD ────────────────▶ HEADER
 *   24 bytes are there,      all bytes of it are there,
 *   RECEIVER_BEGUN           RECEIVER_DONE
 */
#ifndef ADB_RECEIVER_H
#define ADB_RECEIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/packet.h"
#include "adb/transport.h"

#define RECEIVER_BUFFER_SIZE (32U * 1024U)

struct receiver {
    uint32_t max_payload;
    bool in_payload;
    struct packet packet; /* the one under way */
    char *payload;        /* borrowed; NULL: its bytes are dropped */
    size_t got;           /* bytes of it that have arrived */
    size_t begin, end;    /* what of buffer is not used yet */
    char buffer[RECEIVER_BUFFER_SIZE];
};

enum receiver_event {
    RECEIVER_NOTHING, /* more bytes are needed: receiver_read */
    RECEIVER_BEGUN,   /* packet is known; say where its payload goes */
    RECEIVER_DONE,    /* packet and payload are complete */
};

void receiver_init(struct receiver *receiver, uint32_t max_payload);

/* The next event from the bytes at hand. ERR_PROTOCOL on a bad header. */
MUST_USE bool receiver_next(struct receiver *receiver,
                            enum receiver_event *event, struct err *err);

/* After BEGUN: memory for packet.length bytes. NULL (as at first) drops them.
 * Later: move what has arrived to other memory. */
void receiver_into(struct receiver *receiver, char *memory);

/* Take from the transport what is there. *got is 0 when nothing is. */
MUST_USE bool receiver_read(struct receiver *receiver,
                            struct transport *transport, size_t *got,
                            struct err *err);

#endif
