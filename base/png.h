/*
 * PNG: bytes to a picture and back.
 *
 * What screens are saved as (eight bits, RGB or RGBA, not interlaced) is
 * decoded by png_quick.h; everything else, and whatever is wrong, by libpng.
 * Both give the same pixels.
 */
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

/* What to save: time, or bytes. */
enum png_effort {
    PNG_QUICK,
    PNG_COMPACT, /* a sixth less, or more, in half as much time again */
};

/*
 * Append picture, which must not be empty, to png.
 * Fails with ERR_LIMIT beyond png's limit; png is then as it was.
 */
MUST_USE bool png_encode(const struct picture *picture, enum png_effort effort,
                         struct buf *png, struct err *err);

/*
 * The same for who encodes one after the other: what is written on the way, as
 * large as the picture, is in rows, whose memory serves for the next one.
 */
MUST_USE bool png_encode_by(const struct picture *picture,
                            enum png_effort effort, struct buf *rows,
                            struct buf *png, struct err *err);

/* The most that is written to rows. */
size_t png_rows_size(const struct picture *picture);

#endif
