/*
 * What Android's screencap writes when it is not asked for PNG: a header, then
 * the pixels, row by row.
 *
 *     u32 width, height, format        little-endian
 *     u32 colour space                 since Android 9
 */
#ifndef BASE_SCREENCAP_H
#define BASE_SCREENCAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/picture.h"

struct screencap {
    uint32_t width;
    uint32_t height;
    enum pixel_format format;
    size_t header; /* bytes before the pixels */
    size_t pixels; /* bytes of pixels */
};

/*
 * Read the header of a whole capture of length bytes. Its own length is told
 * from what is left beside the pixels.
 *
 * Fails with ERR_UNSUPPORTED for another pixel format, ERR_LIMIT for a
 * picture too large, ERR_INVALID when the sizes do not agree (a capture that
 * was cut, or no capture at all).
 */
MUST_USE bool screencap_parse(const void *bytes, size_t length,
                              struct screencap *screencap, struct err *err);

/* Turn a whole capture into a picture; on failure picture is as it was. */
MUST_USE bool screencap_decode(const void *bytes, size_t length,
                               struct picture *picture, struct err *err);

#endif
