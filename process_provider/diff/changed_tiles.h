/*
 * Which pixels differ between two screens of the same size, in one pass that
 * is about as quick as memcmp: how many, where, and by how much.
 *
 * The screen is a grid of tiles, each of which knows the columns and rows in
 * which it changed.
 */
#ifndef PROCESS_PROVIDER_DIFF_CHANGED_TILES_H
#define PROCESS_PROVIDER_DIFF_CHANGED_TILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/picture/picture.h"
#include "process_provider/diff/pixel_kernels.h"
#include "process_provider/diff/unmasked_area.h"

struct changed_tiles {
    struct tile *tiles; /* owned; row by row */
    uint32_t columns, rows;
    uint32_t top, bottom; /* rows of tiles with all changes between them */
    struct row_sums sums;
};

/*
 * Compare the pixels in areas. Pixels are equal when their brightness differs
 * by at most tolerance; with a tolerance of 0, only when all their bytes are
 * equal. The squares of all differences are summed only if squares is set.
 */
void changed_tiles_init(struct changed_tiles *changes,
                        const struct picture *before,
                        const struct picture *after,
                        const struct unmasked_area *areas, uint8_t tolerance,
                        bool squares);
void changed_tiles_release(struct changed_tiles *changes);

#endif
