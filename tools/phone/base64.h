/* Letters back to bytes, as they come. */
#ifndef PHONE_BASE64_H
#define PHONE_BASE64_H

#include <stdbool.h>

#include "base/buf.h"

#define BASE64_LETTERS                                                         \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

struct base64_decoder {
    unsigned bits; /* held, of a byte that is not complete */
    unsigned held;
};

/* Append what a letter completes. False for what is no letter. */
bool base64_take(struct base64_decoder *decoder, char letter, struct buf *out);

#endif
