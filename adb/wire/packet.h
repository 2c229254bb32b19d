/* One ADB message: a 24-byte header, then its payload. */
#ifndef ADB_WIRE_PACKET_H
#define ADB_WIRE_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define PACKET_HEADER_SIZE 24

/* Protocol versions. From SKIP_CHECKSUM on, data_check is not verified. */
#define PACKET_VERSION_MIN 0x01000000U
#define PACKET_VERSION_SKIP_CHECKSUM 0x01000001U

/* The largest payload: of new peers, and of old peers and in handshakes. */
#define PACKET_MAX_PAYLOAD (1024U * 1024U)
#define PACKET_MAX_PAYLOAD_V1 4096U

/*
 * The largest payload that we ask new peers to send: the size at which a stock
 * adbd needs the least CPU time to send a file (docs/benchmarks.md).
 */
#define PACKET_WANTED_PAYLOAD (768U * 1024U)

enum packet_command {
    PACKET_SYNC = 0x434e5953,
    PACKET_CNXN = 0x4e584e43,
    PACKET_AUTH = 0x48545541,
    PACKET_OPEN = 0x4e45504f,
    PACKET_OKAY = 0x59414b4f,
    PACKET_CLSE = 0x45534c43,
    PACKET_WRTE = 0x45545257,
    PACKET_STLS = 0x534c5453,
};

/* The header; magic is implied (the command's complement). */
struct packet {
    uint32_t command;
    uint32_t arg0;
    uint32_t arg1;
    uint32_t length; /* of the payload */
    uint32_t check;  /* sum of the payload's bytes, or 0 for new peers */
};

void packet_encode(const struct packet *packet,
                   uint8_t bytes[PACKET_HEADER_SIZE]);

/*
 * Read a header. Fails with ERR_PROTOCOL on a wrong magic, an unknown command
 * or a payload above max_payload; the message names which.
 */
MUST_USE bool packet_decode(const uint8_t bytes[PACKET_HEADER_SIZE],
                            uint32_t max_payload, struct packet *packet,
                            struct err *err);

/* The payload's check sum: a plain sum of its bytes. */
uint32_t packet_checksum(const void *data, size_t length);

/* "CNXN" and so on; "????" for an unknown command. */
const char *packet_command_name(uint32_t command);

#endif
