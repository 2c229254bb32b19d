/*
 * A fingerprint of a screen: a hash for each tile of 8 x 8 pixels. It shows
 * what changed without the frame, which is sixty times as large.
 */
#ifndef RUNNER_OBSERVE_TILE_HASHES_H
#define RUNNER_OBSERVE_TILE_HASHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/picture/box.h"
#include "base/picture/picture.h"

#define TILE_SIDE 8 /* pixels */

struct tile_hashes {
    uint32_t *hashes; /* owned; in rows */
    size_t capacity;  /* hashes */
    uint32_t width;   /* of the screen, in pixels; 0: empty */
    uint32_t height;
    bool black; /* all is black between the status bar and the navigation bar */
};

#define TILE_HASHES_INIT                                                       \
    {                                                                          \
        .hashes = NULL                                                         \
    }

void tile_hashes_release(struct tile_hashes *tiles);

/* Compute them from a picture; the memory is reused. */
void tile_hashes_compute(struct tile_hashes *tiles,
                         const struct picture *picture);

/* Exchange both, or copy. */
void tile_hashes_swap(struct tile_hashes *a, struct tile_hashes *b);
void tile_hashes_copy(struct tile_hashes *to, const struct tile_hashes *from);

/* Areas that are ignored: the status bar above top, and an animated area. */
struct tile_hash_mask {
    uint32_t top;
    struct box box; /* empty: none */
};

/* Are all tiles equal? */
bool tile_hashes_equal(const struct tile_hashes *a,
                       const struct tile_hashes *b);

/*
 * Do both look different? A thin vertical line alone is no difference: carets
 * blink. *where (may be NULL) gets the box around all changes; the whole screen
 * when the sizes differ.
 */
bool tile_hashes_differ(const struct tile_hashes *a,
                        const struct tile_hashes *b,
                        const struct tile_hash_mask *mask, struct box *where);

/* A hash of all tiles outside the mask. */
uint64_t tile_hashes_digest(const struct tile_hashes *tiles,
                            const struct tile_hash_mask *mask);

#endif
