/*
 * Silhouettes: the shapes around a point of a picture, regardless of colours.
 */
#ifndef PROCESS_PROVIDER_PICTURES_SILHOUETTE_H
#define PROCESS_PROVIDER_PICTURES_SILHOUETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/picture/box.h"
#include "base/picture/picture.h"

#define SILHOUETTE_SIDE 32 /* of the square that every shape is brought to */
#define SILHOUETTE_CELLS (SILHOUETTE_SIDE * SILHOUETTE_SIDE)

enum silhouette_form {
    SILHOUETTE_DRAWN, /* as it is */
    SILHOUETTE_SOLID, /* with all that lines enclose filled in */
    SILHOUETTE_FORMS,
};

struct silhouette {
    struct box box; /* where it stood */
    unsigned ink;   /* shapes of one colour have the same */
    bool outlined;  /* most of it is enclosed by lines, and not filled */
    /* Of mean 0 and length 1. */
    float cells[SILHOUETTE_FORMS][SILHOUETTE_CELLS];
};

/*
 * Make the silhouette of a mask within box, which must fit tightly: 0 is
 * background, anything else is ink. width is the length of the rows of the
 * mask.
 */
void silhouette_make(const uint8_t *mask, int width, struct box box,
                     struct silhouette *silhouette);

/*
 * The similarity of two silhouettes: 1 for equal, 0 and below for nothing in
 * common. An outline resembles a filled shape only in the solid form.
 */
float silhouette_likeness(const struct silhouette *a,
                          const struct silhouette *b,
                          enum silhouette_form form);

/*
 * The shapes at or around (x, y) that may be icons, at most max. One icon may
 * be found several times, cut out in different ways.
 */
size_t silhouette_find(const struct picture *picture, int x, int y,
                       struct silhouette *found, size_t max);

#endif
