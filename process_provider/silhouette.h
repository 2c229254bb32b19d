/*
 * Shapes that are drawn around a point of a picture, whatever their colours:
 * what an icon looks like when it is cut out of paper.
 */
#ifndef PROCESS_PROVIDER_SILHOUETTE_H
#define PROCESS_PROVIDER_SILHOUETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/box.h"
#include "base/picture.h"

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
 * Of what a mask has in box, which must fit tightly: 0 is ground, anything
 * else is ink. width is the mask's, from one row to the next.
 */
void silhouette_make(const uint8_t *mask, int width, struct box box,
                     struct silhouette *silhouette);

/*
 * How alike two are in a form: 1 for the same, 0 and below for nothing in
 * common. Outlines are like what is filled only where both are solid.
 */
float silhouette_likeness(const struct silhouette *a,
                          const struct silhouette *b,
                          enum silhouette_form form);

/*
 * What is drawn at or around (x, y) and may be an icon, at most max of them.
 * One thing may be cut out in several ways.
 */
size_t silhouette_find(const struct picture *picture, int x, int y,
                       struct silhouette *found, size_t max);

#endif
