/*
 * PNG's filters (PNG specification, section 9): each row is stored as the
 * difference from what its neighbours predict.
 */
#ifndef BASE_PNG_FILTER_H
#define BASE_PNG_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

enum png_filter {
    PNG_FILTER_NONE,
    PNG_FILTER_SUB, /* from the pixel before */
    PNG_FILTER_UP,  /* from the pixel above */
    PNG_FILTER_AVERAGE,
    PNG_FILTER_PAETH,
};

/* One row on its way from a PNG to a picture. */
struct png_row {
    const uint8_t *from;  /* the filter's number, then the filtered samples */
    const uint8_t *above; /* the row above as RGBA; NULL: this is the first */
    uint8_t *to;          /* RGBA; see below */
    size_t width;         /* pixels */
};

/*
 * Undo a row's filter, and make it RGBA; samples (3 or 4) is how many a pixel
 * has. A pixel is read before it is written, from left to right, so to may
 * overlap from as long as it never gets ahead of it.
 * False for a filter that there is not.
 */
MUST_USE bool png_filter_undo(const struct png_row *row, int samples);

#endif
