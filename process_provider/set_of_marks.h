/*
 * Set-of-marks: a screenshot on which every element has a box and a number,
 * for models that say "tap 7" better than they say where 7 is.
 */
#ifndef PROCESS_PROVIDER_SET_OF_MARKS_H
#define PROCESS_PROVIDER_SET_OF_MARKS_H

#include <stddef.h>

#include "base/box.h"
#include "base/picture.h"

#define SET_OF_MARKS_MAX 512

struct set_mark {
    unsigned number;
    struct box element;
    struct box label; /* where the number was put; set by set_of_marks_draw */
};

/*
 * Draw the boxes and numbers of marks, at most SET_OF_MARKS_MAX, into picture.
 *
 * A number stands at its element, on the place of those there that covers the
 * least of what is drawn on the screen, and never on another number as long as
 * there is room. An element that is outside of the picture is left out; its
 * label is empty.
 */
void set_of_marks_draw(struct picture *picture, struct set_mark *marks,
                       size_t count);

#endif
