/* JPEG decoding and encoding, by libjpeg-turbo. */
#ifndef BASE_PICTURE_JPEG_H
#define BASE_PICTURE_JPEG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/picture/picture.h"

/*
 * Decode a JPEG: grayscale or color, baseline or progressive. Truncated files,
 * and those in which the decoder finds damage, are refused.
 *
 * Fails with ERR_INVALID when it is not a complete JPEG, ERR_UNSUPPORTED for
 * CMYK, ERR_LIMIT when it would need too much memory or has too many scans, and
 * as picture_resize. The memory of picture is kept for reuse; its content is
 * then empty (0x0).
 */
MUST_USE bool jpeg_decode(const void *bytes, size_t length,
                          struct picture *picture, struct err *err);

/*
 * Append picture, which must not be empty, to jpeg, with a quality of 1 to 100.
 * Its alpha is ignored. Fails with ERR_LIMIT beyond jpeg's limit; jpeg is then
 * unchanged.
 */
MUST_USE bool jpeg_encode(const struct picture *picture, int quality,
                          struct buf *jpeg, struct err *err);

#endif
