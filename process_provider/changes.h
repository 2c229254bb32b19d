/*
 * Which pixels differ between two screens of the same size, in one pass that
 * is about as quick as memcmp: how many, where, and by how much.
 *
 * The screen is a grid of tiles, each of which knows the columns and rows in
 * which it changed.
 */
#ifndef PROCESS_PROVIDER_CHANGES_H
#define PROCESS_PROVIDER_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/picture.h"
#include "process_provider/areas.h"
#include "process_provider/kernels.h"

struct changes {
    struct tile *tiles; /* owned; row by row */
    uint32_t columns, rows;
    uint32_t top, bottom; /* rows of tiles with all changes between them */
    struct row_sums sums;
};

/*
 * Compare what is in areas. Pixels are equal when their brightness differs by
 * at most tolerance, and with a tolerance of 0 only when all their bytes are.
 * The squares, of every difference, are summed only if they are wanted.
 */
void changes_init(struct changes *changes, const struct picture *before,
                  const struct picture *after, const struct areas *areas,
                  uint8_t tolerance, bool squares);
void changes_release(struct changes *changes);

#endif
