/* PNG: bytes to a picture and back. */
#ifndef BASE_PNG_H
#define BASE_PNG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/picture.h"

/*
 * Decode a PNG of any colour type and depth, interlaced or not. Bytes after
 * its end are ignored; one that is cut or damaged anywhere in its image data
 * is refused.
 *
 * Fails with ERR_INVALID for what is no whole PNG, and as picture_resize; the
 * memory of picture is kept for its next use, its content is then empty (0x0).
 */
MUST_USE bool png_decode(const void *bytes, size_t length,
                         struct picture *picture, struct err *err);

/*
 * Append picture, which must not be empty, to png. Quick rather than small.
 * Fails with ERR_LIMIT beyond png's limit; png is then as it was.
 */
MUST_USE bool png_encode(const struct picture *picture, struct buf *png,
                         struct err *err);

#endif
