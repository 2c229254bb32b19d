/*
 * Pictures of things that do not exist: a motif, in colours that a seed
 * chooses. The same motif and seed are always the same picture.
 */
#ifndef PHONE_ART_H
#define PHONE_ART_H

#include <stddef.h>
#include <stdint.h>

#include "tools/phone/font.h"

struct art; /* a motif */

/* A motif by its name, as "shoe" or "noodles"; NULL for none. */
const struct art *art_find(const char *name);

/* The names of all motifs, NULL behind the last. */
const char *art_name(size_t number);

/* Draw it to fill box, whose corners are round by radius pixels. */
void art_draw(const struct art *art, uint32_t seed, struct fonts *fonts,
              struct canvas *canvas, struct box box, float radius);

#endif
