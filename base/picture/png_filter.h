/*
 * PNG filters (PNG specification, section 9): each row is stored as the
 * difference from a prediction by its neighbors.
 */
#ifndef BASE_PICTURE_PNG_FILTER_H
#define BASE_PICTURE_PNG_FILTER_H

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

/* A row of a PNG that is decoded into a picture. */
struct png_row {
    const uint8_t *from;  /* the filter's number, then the filtered samples */
    const uint8_t *above; /* the row above as RGBA; NULL: this is the first */
    uint8_t *to;          /* RGBA; see below */
    size_t width;         /* pixels */
};

/*
 * Reverse a row's filter, and convert it to RGBA; samples (3 or 4) is the
 * number of samples per pixel. Each pixel is read before it is written, from
 * left to right, so to may overlap from as long as it never gets ahead of it.
 * False for an unknown filter.
 */
MUST_USE bool png_filter_undo(const struct png_row *row, int samples);

#endif
