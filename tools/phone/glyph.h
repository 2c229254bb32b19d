/*
 * Glyphs: letters and shapes, drawn once and kept. The cache is bounded; what
 * it gives is valid until something is added.
 */
#ifndef PHONE_GLYPH_H
#define PHONE_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct glyph {
    int left; /* from the pen to the first column */
    int top;  /* from the base line up to the first row */
    int width;
    int height;
    int advance;      /* of the pen, in 1/64 pixels */
    bool coloured;    /* four bytes per pixel, as canvas_stamp has them */
    uint8_t pixels[]; /* otherwise one, as canvas_mask has it */
};

/* A new glyph, whose pixels are zeros. Free it with free(). */
struct glyph *glyph_new(int width, int height, bool coloured);

/* The same in less memory: without its empty edges. Takes glyph over. */
struct glyph *glyph_crop(struct glyph *glyph);

/* What a glyph is of. Fields that do not matter are 0. */
struct glyph_key {
    const void *owner;
    uint32_t index;
    uint32_t size;
    uint32_t style;
};

#define GLYPH_CACHE_SLOTS 2048U
#define GLYPH_CACHE_BYTES ((size_t)3 << 20)

struct glyph_entry;

struct glyph_cache {
    struct glyph_entry *slots[GLYPH_CACHE_SLOTS]; /* owned */
    size_t bytes;                                 /* of all glyphs */
};

/* Forget all. A cache of zeros is empty, and so it is afterwards. */
void glyph_cache_clear(struct glyph_cache *cache);

/* The glyph, or NULL when it is to be drawn. */
const struct glyph *glyph_cache_find(const struct glyph_cache *cache,
                                     const struct glyph_key *key);

/* Takes glyph over. Everything older may be forgotten. */
const struct glyph *glyph_cache_add(struct glyph_cache *cache,
                                    const struct glyph_key *key,
                                    struct glyph *glyph);

#endif
