/*
 * Reads packets from a transport.
 *
 * A single read may bring many small packets; large payloads are read directly
 * into the memory that the caller provided when the header had arrived.
 *
 *            packet_receiver_next              packet_receiver_next
 *   HEADER ────────────────▶ PAYLOAD ────────────────▶ HEADER
 *   24 bytes are there,      all bytes of it are there,
 *   PACKET_RECEIVER_BEGUN           PACKET_RECEIVER_DONE
 */
#ifndef ADB_CONNECTION_PACKET_RECEIVER_H
#define ADB_CONNECTION_PACKET_RECEIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/transport/transport.h"
#include "adb/wire/packet.h"

#define PACKET_RECEIVER_BUFFER_SIZE (32U * 1024U)

struct packet_receiver {
    uint32_t max_payload;
    bool in_payload;
    struct packet packet; /* the current one */
    char *payload;        /* borrowed; NULL: its bytes are dropped */
    size_t got;           /* payload bytes that have arrived */
    size_t begin, end;    /* the unused part of buffer */
    char buffer[PACKET_RECEIVER_BUFFER_SIZE];
};

enum packet_receiver_event {
    PACKET_RECEIVER_NOTHING, /* more bytes are needed: packet_receiver_read */
    PACKET_RECEIVER_BEGUN,   /* packet is known; its payload needs memory */
    PACKET_RECEIVER_DONE,    /* packet and payload are complete */
};

void packet_receiver_init(struct packet_receiver *receiver,
                          uint32_t max_payload);

/* The next event from the buffered bytes. ERR_PROTOCOL on an invalid header. */
MUST_USE bool packet_receiver_next(struct packet_receiver *receiver,
                                   enum packet_receiver_event *event,
                                   struct err *err);

/*
 * After BEGUN: memory for packet.length bytes. NULL (the default) drops them.
 * Later: moves what has arrived to other memory.
 */
void packet_receiver_into(struct packet_receiver *receiver, char *memory);

/* Read from the transport what has arrived. *got is 0 if nothing has. */
MUST_USE bool packet_receiver_read(struct packet_receiver *receiver,
                                   struct transport *transport, size_t *got,
                                   struct err *err);

#endif
