/*
 * Changes to the pixels of a picture. All of them leave its size and its alpha
 * alone, and are bounded by its size: no amount makes one slow.
 */
#ifndef TOOLS_PHONE_PICTURES_PIXEL_FILTER_H
#define TOOLS_PHONE_PICTURES_PIXEL_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/picture/picture.h"

enum pixel_filter_kind {
    PIXEL_FILTER_LIGHT,   /* brightness and contrast, -100 to 100 each */
    PIXEL_FILTER_LEVELS,  /* black and white, 0 to 255; middle, 10 to 300 % */
    PIXEL_FILTER_HUE,     /* hue, -180 to 180; saturation, -100 to 100 */
    PIXEL_FILTER_GRAY,    /* black and white */
    PIXEL_FILTER_SEPIA,   /* as an old photo */
    PIXEL_FILTER_INVERT,  /* a negative */
    PIXEL_FILTER_BLUR,    /* by a radius of 1 to 24 pixels */
    PIXEL_FILTER_SHARPEN, /* by 1 to 200 % */
    PIXEL_FILTER_MOSAIC,  /* of squares of 2 to 48 pixels */
    PIXEL_FILTER_NOISE,   /* of 1 to 100 % */
    PIXEL_FILTERS,
};

/* Their names in documents: "light"; NULL for a number that is none. */
const char *pixel_filter_name(enum pixel_filter_kind kind);
MUST_USE bool pixel_filter_find(const char *name, enum pixel_filter_kind *kind);

#define PIXEL_FILTER_VALUES 3

struct pixel_filter {
    enum pixel_filter_kind kind;
    int values[PIXEL_FILTER_VALUES]; /* in the order above */
};

/* The least, greatest and default of a value, and its name in documents. */
struct pixel_filter_range {
    const char *name; /* NULL: the kind has no such value */
    int least, most, value;
};

const struct pixel_filter_range *pixel_filter_range(enum pixel_filter_kind kind,
                                                    int value);

/*
 * Change the pixels of picture, which must not be empty; values beyond their
 * range count as its end. Fails with ERR_LIMIT when there is no memory.
 */
MUST_USE bool pixel_filter_apply(const struct pixel_filter *filter,
                                 struct picture *picture, struct err *err);

/*
 * Replace the disc around (x, y) by what surrounds it. A disc that lies beyond
 * the picture changes nothing.
 */
void pixel_filter_heal(struct picture *picture, int x, int y, int radius);

#endif
