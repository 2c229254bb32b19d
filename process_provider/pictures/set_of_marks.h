/*
 * Set-of-marks: a screenshot on which every element has a box and a number, for
 * models that name an element by number better than by coordinates.
 */
#ifndef PROCESS_PROVIDER_PICTURES_SET_OF_MARKS_H
#define PROCESS_PROVIDER_PICTURES_SET_OF_MARKS_H

#include <stddef.h>

#include "base/picture/box.h"
#include "base/picture/picture.h"

#define SET_OF_MARKS_MAX 512

struct set_mark {
    unsigned number;
    struct box element;
    struct box label; /* where the number was put; set by set_of_marks_draw */
};

/*
 * Draw the boxes and numbers of marks, at most SET_OF_MARKS_MAX, into picture.
 *
 * A number is placed at its element where it covers the least of the screen,
 * and not on another number while there is room. An element outside of the
 * picture is left out; its label is empty.
 */
void set_of_marks_draw(struct picture *picture, struct set_mark *marks,
                       size_t count);

#endif
