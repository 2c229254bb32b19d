/*
 * What pairing sends over TLS: a header of 6 bytes, then its payload, which
 * is as long as its kind always is.
 *
 *   u8 version = 1, u8 kind, u32 length (big-endian)
 */
#ifndef ADB_PAIRING_FRAME_H
#define ADB_PAIRING_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define PAIRING_FRAME_HEADER_SIZE 6

enum pairing_kind {
    PAIRING_SPAKE2 = 0,    /* a message of SPAKE2 */
    PAIRING_PEER_INFO = 1, /* who is there, encrypted */
};

struct pairing_frame {
    enum pairing_kind kind;
    uint32_t length; /* of the payload */
};

void pairing_frame_encode(const struct pairing_frame *frame,
                          uint8_t bytes[PAIRING_FRAME_HEADER_SIZE]);

/*
 * Read the header of the frame that is due now. Fails with ERR_PROTOCOL when
 * it has another version, kind or length; the message names which.
 */
MUST_USE bool pairing_frame_expect(
    const uint8_t bytes[PAIRING_FRAME_HEADER_SIZE],
    const struct pairing_frame *due, struct err *err);

#endif
