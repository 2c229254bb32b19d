/*
 * Encodes parts of a picture, and keeps what it encoded: the same part for
 * several watchers is encoded once. Not safe from several threads.
 */
#ifndef TOOLS_LIVE_PATCH_CACHE_H
#define TOOLS_LIVE_PATCH_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/picture/picture.h"
#include "tools/live/live_packet.h"
#include "tools/live/tile_map.h"

#define PATCH_CACHE_ENTRIES 256
#define PATCH_CACHE_BYTES_MAX ((size_t)32 << 20)

/* Quality of what moves. */
#define PATCH_CACHE_QUALITY 85

struct patch_cache {
    struct live_patch *entries[PATCH_CACHE_ENTRIES]; /* held; NULL: unused */
    size_t oldest;                                   /* replaced next */
    size_t bytes;                                    /* of all entries */
    struct buf rows;          /* reused by the PNG encoder */
    struct picture reduced;   /* reused */
    _Atomic uint64_t encoded; /* how many patches were encoded */
};

void patch_cache_init(struct patch_cache *cache);
void patch_cache_release(struct patch_cache *cache);

/*
 * The encoded part of map's picture; the caller drops it. reduction is 1, 2, 4
 * or 8. Fails as png_encode and jpeg_encode.
 */
MUST_USE bool patch_cache_get(struct patch_cache *cache,
                              const struct tile_map *map,
                              const struct tile_map_patch *part,
                              unsigned reduction, struct live_patch **patch,
                              struct err *err);

/*
 * Reduce the part of a picture in box: each pixel is the mean of reduction x
 * reduction pixels, fewer at the right and the bottom. Fails as picture_resize.
 */
MUST_USE bool patch_reduce(const struct picture *from, struct box box,
                           unsigned reduction, struct picture *to,
                           struct err *err);

#endif
