/*
 * A screen's fingerprint: a hash for each little square of it. It tells what
 * changed without the frame, which is sixty times as large.
 */
#ifndef RUNNER_TILES_H
#define RUNNER_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/box.h"
#include "base/picture.h"

#define TILE_SIDE 8 /* pixels */

struct tiles {
    uint32_t *hashes; /* owned; row by row */
    size_t capacity;  /* hashes */
    uint32_t width;   /* of the screen, in pixels; 0: nothing was seen yet */
    uint32_t height;
    bool black; /* all of it below the status bar, and above the foot */
};

#define TILES_INIT                                                             \
    {                                                                          \
        .hashes = NULL                                                         \
    }

void tiles_release(struct tiles *tiles);

/* Take them of a picture; the memory is used again. */
void tiles_take(struct tiles *tiles, const struct picture *picture);

/* Change places; become the same. */
void tiles_swap(struct tiles *a, struct tiles *b);
void tiles_copy(struct tiles *to, const struct tiles *from);

/* What does not count: above top there is the clock, and in the box something
 * that moves all the time. */
struct tiles_mask {
    uint32_t top;
    struct box box; /* empty: there is none */
};

/* Is every square the same? */
bool tiles_equal(const struct tiles *a, const struct tiles *b);

/*
 * Do both look different? A thin upright line alone is no difference: a caret
 * comes and goes. *where (may be NULL) is then the box around all changes; the
 * whole screen when the sizes differ.
 */
bool tiles_differ(const struct tiles *a, const struct tiles *b,
                  const struct tiles_mask *mask, struct box *where);

/* A hash of what counts. */
uint64_t tiles_hash(const struct tiles *tiles, const struct tiles_mask *mask);

#endif
