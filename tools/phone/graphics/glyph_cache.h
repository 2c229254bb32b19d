/*
 * A cache of rendered glyphs: letters and shapes. It is bounded; a glyph is
 * valid until another one is added.
 */
#ifndef TOOLS_PHONE_GRAPHICS_GLYPH_CACHE_H
#define TOOLS_PHONE_GRAPHICS_GLYPH_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct glyph {
    int left; /* from the pen to the first column */
    int top;  /* from the base line up to the first row */
    int width;
    int height;
    int advance;      /* advance of the pen, in 1/64 pixels */
    bool coloured;    /* four bytes per pixel, as in canvas_stamp */
    uint8_t pixels[]; /* otherwise one byte, as in canvas_mask */
};

/* A new glyph with zeroed pixels. Free it with free(). */
struct glyph *glyph_new(int width, int height, bool coloured);

/* The same glyph without empty edges, to save memory. Takes glyph over. */
struct glyph *glyph_crop(struct glyph *glyph);

/* The key of a glyph. Unused fields are 0. */
struct glyph_key {
    const void *owner;
    uint32_t index;
    uint32_t size;
    uint32_t style;
};

#define GLYPH_CACHE_SLOTS 2048U
#define GLYPH_CACHE_BYTES ((size_t)8 << 20)

struct glyph_entry;

struct glyph_cache {
    struct glyph_entry *slots[GLYPH_CACHE_SLOTS]; /* owned */
    size_t bytes;                                 /* bytes of all glyphs */
};

/* Remove all glyphs. A zeroed cache is empty. */
void glyph_cache_clear(struct glyph_cache *cache);

/* The glyph, or NULL if it is not cached. */
const struct glyph *glyph_cache_find(const struct glyph_cache *cache,
                                     const struct glyph_key *key);

/* Add a glyph and take it over. May remove any older one. */
const struct glyph *glyph_cache_add(struct glyph_cache *cache,
                                    const struct glyph_key *key,
                                    struct glyph *glyph);

#endif
