/* Cropping, rotating and flipping of pictures, without changing any pixel. */
#ifndef BASE_PICTURE_PICTURE_TRANSFORM_H
#define BASE_PICTURE_PICTURE_TRANSFORM_H

#include <stdbool.h>

#include "base/err.h"
#include "base/picture/box.h"
#include "base/picture/picture.h"

/*
 * All of these create to from from. They fail as picture_resize; to is then
 * unchanged.
 */

/* The part of from that is in box; ERR_INVALID when it is empty. */
MUST_USE bool picture_crop(const struct picture *from, struct box box,
                           struct picture *to, struct err *err);

/* Rotate clockwise by quarter turns; negative is counterclockwise. */
MUST_USE bool picture_rotate(const struct picture *from, int quarters,
                             struct picture *to, struct err *err);

enum flip {
    FLIP_SIDES, /* swap left and right */
    FLIP_ENDS,  /* swap top and bottom */
};
MUST_USE bool picture_flip(const struct picture *from, enum flip flip,
                           struct picture *to, struct err *err);

#endif
