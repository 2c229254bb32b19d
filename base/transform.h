/* Parts of pictures, and pictures turned and mirrored: every pixel as it is. */
#ifndef BASE_TRANSFORM_H
#define BASE_TRANSFORM_H

#include <stdbool.h>

#include "base/box.h"
#include "base/err.h"
#include "base/picture.h"

/*
 * All of these make of from another picture, to. They fail as picture_resize,
 * which leaves to as it was.
 */

/* What of box lies in from; ERR_INVALID when nothing does. */
MUST_USE bool picture_crop(const struct picture *from, struct box box,
                           struct picture *to, struct err *err);

/* Turned by so many quarters, clockwise; negative ones go the other way. */
MUST_USE bool picture_rotate(const struct picture *from, int quarters,
                             struct picture *to, struct err *err);

enum flip {
    FLIP_SIDES, /* left becomes right */
    FLIP_ENDS,  /* top becomes bottom */
};
MUST_USE bool picture_flip(const struct picture *from, enum flip flip,
                           struct picture *to, struct err *err);

#endif
