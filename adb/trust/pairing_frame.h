/*
 * The messages of pairing, inside TLS: a header of 6 bytes, then a payload
 * whose length is fixed for each kind.
 *
 *   u8 version = 1, u8 kind, u32 length (big-endian)
 */
#ifndef ADB_TRUST_PAIRING_FRAME_H
#define ADB_TRUST_PAIRING_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define PAIRING_FRAME_HEADER_SIZE 6

enum pairing_kind {
    PAIRING_SPAKE2 = 0,    /* a SPAKE2 message */
    PAIRING_PEER_INFO = 1, /* name or key of the peer, encrypted */
};

struct pairing_frame {
    enum pairing_kind kind;
    uint32_t length; /* of the payload */
};

void pairing_frame_encode(const struct pairing_frame *frame,
                          uint8_t bytes[PAIRING_FRAME_HEADER_SIZE]);

/*
 * Read the header of the expected frame. Fails with ERR_PROTOCOL when version,
 * kind or length is another one; the message says which.
 */
MUST_USE bool pairing_frame_expect(
    const uint8_t bytes[PAIRING_FRAME_HEADER_SIZE],
    const struct pairing_frame *due, struct err *err);

#endif
