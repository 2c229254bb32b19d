/*
 * PNG decoding and encoding.
 *
 * The format of most screenshots (eight bits, RGB or RGBA, not interlaced) is
 * decoded by png_fast.h; everything else, including invalid files, by libpng.
 * Both give the same pixels.
 */
#ifndef BASE_PICTURE_PNG_H
#define BASE_PICTURE_PNG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/picture/picture.h"

/*
 * Decode a PNG of any color type and depth, interlaced or not. Bytes after its
 * end are ignored; truncated files, and those with damaged image data, are
 * refused.
 *
 * Fails with ERR_INVALID when it is not a complete PNG, and as picture_resize;
 * the memory of picture is kept for reuse, its content is then empty (0x0).
 */
MUST_USE bool png_decode(const void *bytes, size_t length,
                         struct picture *picture, struct err *err);

/* Optimize for time, or for size. */
enum png_effort {
    PNG_FAST,
    PNG_COMPACT, /* at least a sixth smaller, in one and a half times the time
                  */
};

/*
 * Append picture, which must not be empty, to png. Fails with ERR_LIMIT beyond
 * png's limit; png is then unchanged.
 */
MUST_USE bool png_encode(const struct picture *picture, enum png_effort effort,
                         struct buf *png, struct err *err);

/*
 * The same for several pictures in sequence: intermediate data, as large as the
 * picture, is stored in rows, whose memory is reused.
 */
MUST_USE bool png_encode_by(const struct picture *picture,
                            enum png_effort effort, struct buf *rows,
                            struct buf *png, struct err *err);

/* The largest size of rows. */
size_t png_rows_size(const struct picture *picture);

#endif
