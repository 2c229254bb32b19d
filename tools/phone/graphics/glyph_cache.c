#include "tools/phone/graphics/glyph_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct glyph_entry {
    struct glyph_key key;
    struct glyph *glyph; /* owned */
    struct glyph_entry *next;
};

static size_t pixel_bytes(const struct glyph *glyph)
{
    return (size_t)glyph->width * (size_t)glyph->height *
           (glyph->coloured ? 4 : 1);
}

struct glyph *glyph_new(int width, int height, bool coloured)
{
    const struct glyph shape = {
        .width = width, .height = height, .coloured = coloured};
    struct glyph *glyph = mem_new(1, sizeof(*glyph) + pixel_bytes(&shape));

    *glyph = shape;
    return glyph;
}

/* The bounds of the pixels that are not empty. */
struct glyph_extent {
    int left, top, right, bottom;
};

static bool is_empty(const uint8_t *bytes, size_t count)
{
    while (count && !bytes[count - 1])
        count--;
    return !count;
}

static struct glyph_extent extent_of(const struct glyph *glyph, size_t pixel)
{
    struct glyph_extent extent = {glyph->width, glyph->height, 0, 0};
    const uint8_t *at = glyph->pixels;

    for (int y = 0; y < glyph->height; y++) {
        for (int x = 0; x < glyph->width; x++, at += pixel) {
            if (is_empty(at, pixel))
                continue;
            extent.left = x < extent.left ? x : extent.left;
            extent.top = y < extent.top ? y : extent.top;
            extent.right = x >= extent.right ? x + 1 : extent.right;
            extent.bottom = y + 1;
        }
    }
    return extent;
}

struct glyph *glyph_crop(struct glyph *glyph)
{
    size_t pixel = glyph->coloured ? 4 : 1;
    struct glyph_extent extent = extent_of(glyph, pixel);
    struct glyph *cropped;

    if (!extent.bottom)
        extent = (struct glyph_extent){0, 0, 0, 0};
    cropped = glyph_new(extent.right - extent.left, extent.bottom - extent.top,
                        glyph->coloured);
    cropped->left = glyph->left + extent.left;
    cropped->top = glyph->top - extent.top;
    cropped->advance = glyph->advance;
    for (int y = 0; y < cropped->height; y++) {
        size_t row = (size_t)cropped->width * pixel;
        size_t from = ((size_t)(extent.top + y) * (size_t)glyph->width +
                       (size_t)extent.left) *
                      pixel;

        memcpy(cropped->pixels + (size_t)y * row, glyph->pixels + from, row);
    }
    free(glyph);
    return cropped;
}

static size_t slot_of(const struct glyph_key *key)
{
    uint64_t hash = (uint64_t)(uintptr_t)key->owner;

    hash = (hash ^ key->index) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ key->size ^ (uint64_t)key->style << 32) *
           UINT64_C(0x9e3779b97f4a7c15);
    return (hash >> 32) % GLYPH_CACHE_SLOTS;
}

static bool is_same(const struct glyph_key *a, const struct glyph_key *b)
{
    return a->owner == b->owner && a->index == b->index && a->size == b->size &&
           a->style == b->style;
}

void glyph_cache_clear(struct glyph_cache *cache)
{
    for (size_t i = 0; i < GLYPH_CACHE_SLOTS; i++) {
        while (cache->slots[i]) {
            struct glyph_entry *entry = cache->slots[i];

            cache->slots[i] = entry->next;
            free(entry->glyph);
            free(entry);
        }
    }
    cache->bytes = 0;
}

const struct glyph *glyph_cache_find(const struct glyph_cache *cache,
                                     const struct glyph_key *key)
{
    const struct glyph_entry *entry = cache->slots[slot_of(key)];

    while (entry && !is_same(&entry->key, key))
        entry = entry->next;
    return entry ? entry->glyph : NULL;
}

const struct glyph *glyph_cache_add(struct glyph_cache *cache,
                                    const struct glyph_key *key,
                                    struct glyph *glyph)
{
    size_t bytes = sizeof(*glyph) + pixel_bytes(glyph);
    struct glyph_entry *entry = mem_new(1, sizeof(*entry));
    size_t slot = slot_of(key);

    if (cache->bytes + bytes > GLYPH_CACHE_BYTES)
        glyph_cache_clear(cache);
    cache->bytes += bytes;
    *entry = (struct glyph_entry){*key, glyph, cache->slots[slot]};
    cache->slots[slot] = entry;
    return glyph;
}
