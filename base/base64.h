/* Base64 with padding (RFC 4648). */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define BASE64_LETTERS                                                         \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/* The encoded size of length bytes. */
static inline size_t base64_size(size_t length)
{
    return (length + 2) / 3 * 4;
}

/*
 * Encode length bytes to text, which must have room for base64_size bytes; no
 * NUL is added. Data may be encoded piece by piece if each piece but the last
 * is a multiple of 3 bytes.
 */
void base64_encode(const void *bytes, size_t length, char *text);

/* The same, appended to text. */
void base64_append(const void *bytes, size_t length, struct buf *text);

struct base64_decoder {
    unsigned bits; /* of an incomplete byte */
    unsigned held;
};

/* Decode one letter; appends a byte if it is complete. False: not a letter. */
bool base64_take(struct base64_decoder *decoder, char letter, struct buf *out);

#endif
