/*
 * Pictures: rows of RGBA pixels, eight bits each, from top to bottom.
 *
 * The first access to new memory costs more than copying a frame, so a picture
 * keeps its memory: reuse it for the next frame.
 */
#ifndef BASE_PICTURE_PICTURE_H
#define BASE_PICTURE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define PICTURE_SIDE_MAX 16384U
#define PICTURE_BYTES_MAX ((size_t)256 << 20)
#define PICTURE_PIXEL 4 /* bytes */

struct picture {
    uint8_t *pixels; /* owned */
    uint32_t width;
    uint32_t height;
    size_t stride;   /* bytes from one row to the next */
    size_t capacity; /* allocated bytes */
};

#define PICTURE_INIT                                                           \
    {                                                                          \
        .pixels = NULL                                                         \
    }

/* Other pixel formats; the numbers are Android's HAL_PIXEL_FORMAT_*. */
enum pixel_format {
    PIXEL_RGBA_8888 = 1,
    PIXEL_RGBX_8888 = 2,
    PIXEL_RGB_888 = 3,
    PIXEL_RGB_565 = 4, /* little-endian, red in the highest bits */
    PIXEL_BGRA_8888 = 5,
};

/* Bytes per pixel; 0 for an unknown format. */
size_t pixel_size(uint32_t format);

/* Free the pixels; the picture is then empty. */
void picture_release(struct picture *picture);

/*
 * Is this a valid size for a picture? Fails with ERR_INVALID when a side is 0
 * and with ERR_LIMIT beyond the limits above.
 */
MUST_USE bool picture_check(uint32_t width, uint32_t height, struct err *err);

/*
 * Resize to width x height pixels with undefined content, reusing the memory if
 * it suffices. Fails as picture_check, or with ERR_LIMIT when there is no
 * memory; picture is then unchanged.
 */
MUST_USE bool picture_resize(struct picture *picture, uint32_t width,
                             uint32_t height, struct err *err);

/*
 * The same, with memory for at least this many bytes, for decoders that need
 * more than the pixels temporarily.
 */
MUST_USE bool picture_reserve(struct picture *picture, uint32_t width,
                              uint32_t height, size_t bytes, struct err *err);

/*
 * Convert the pixels at bytes: rows without gaps, length bytes in all. Formats
 * without alpha become opaque. Fails as picture_resize, with ERR_UNSUPPORTED
 * for an unknown format, and with ERR_INVALID when length does not match the
 * size; picture is then unchanged.
 */
MUST_USE bool picture_set(struct picture *picture, uint32_t format,
                          uint32_t width, uint32_t height, const void *bytes,
                          size_t length, struct err *err);

static inline uint8_t *picture_row(const struct picture *picture, uint32_t y)
{
    return picture->pixels + y * picture->stride;
}

#endif
