/*
 * Generated pictures: a motif in colours chosen by a seed. The same motif and
 * seed always give the same picture.
 */
#ifndef TOOLS_PHONE_GRAPHICS_ARTWORK_H
#define TOOLS_PHONE_GRAPHICS_ARTWORK_H

#include <stddef.h>
#include <stdint.h>

#include "tools/phone/graphics/font.h"

struct artwork; /* a motif */

/*
 * Find a motif by its name, such as "shoe" or "noodles"; NULL if there is none.
 */
const struct artwork *artwork_find(const char *name);

/* The names of all motifs; NULL follows the last. */
const char *artwork_name(size_t number);

/* Draw it into box, with corners rounded by radius pixels. */
void artwork_draw(const struct artwork *artwork, uint32_t seed,
                  struct phone_fonts *fonts, struct canvas *canvas,
                  struct box box, float radius);

#endif
