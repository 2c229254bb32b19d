/*
 * The raw output of Android's screencap: a header, then the pixels, row by row.
 *
 *     u32 width, height, format        little-endian
 *     u32 color space                 since Android 9
 */
#ifndef BASE_PICTURE_SCREENCAP_H
#define BASE_PICTURE_SCREENCAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/picture/picture.h"

struct screencap {
    uint32_t width;
    uint32_t height;
    enum pixel_format format;
    size_t header; /* bytes before the pixels */
    size_t pixels; /* bytes of pixels */
};

/*
 * Parse the header of a complete capture of length bytes. The size of the
 * header is derived from the length that is not pixels.
 *
 * Fails with ERR_UNSUPPORTED for another pixel format, ERR_LIMIT for a picture
 * that is too large, ERR_INVALID when the sizes do not match (a truncated
 * capture, or not a capture).
 */
MUST_USE bool screencap_parse(const void *bytes, size_t length,
                              struct screencap *screencap, struct err *err);

/*
 * Convert a complete capture into a picture; on failure picture is unchanged.
 */
MUST_USE bool screencap_decode(const void *bytes, size_t length,
                               struct picture *picture, struct err *err);

#endif
