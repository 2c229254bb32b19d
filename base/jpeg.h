/* JPEG: bytes to a picture and back, by libjpeg-turbo. */
#ifndef BASE_JPEG_H
#define BASE_JPEG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/picture.h"

/*
 * Decode a JPEG of grey or colour, baseline or progressive. One that is cut,
 * or damaged where the decoder can tell, is refused.
 *
 * Fails with ERR_INVALID for what is no whole JPEG, ERR_UNSUPPORTED for one
 * made for printing (CMYK), ERR_LIMIT for one that would take too much memory
 * or too many scans, and as picture_resize. The memory of picture is kept for
 * its next use, its content is then empty (0x0).
 */
MUST_USE bool jpeg_decode(const void *bytes, size_t length,
                          struct picture *picture, struct err *err);

/*
 * Append picture, which must not be empty, to jpeg, with a quality of 1 to
 * 100. Its alpha is ignored.
 * Fails with ERR_LIMIT beyond jpeg's limit; jpeg is then as it was.
 */
MUST_USE bool jpeg_encode(const struct picture *picture, int quality,
                          struct buf *jpeg, struct err *err);

#endif
