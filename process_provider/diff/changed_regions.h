/* Changed tiles, merged into a few boxes. */
#ifndef PROCESS_PROVIDER_DIFF_CHANGED_REGIONS_H
#define PROCESS_PROVIDER_DIFF_CHANGED_REGIONS_H

#include <stddef.h>

#include "base/picture/box.h"
#include "process_provider/diff/changed_tiles.h"

#define CHANGED_REGIONS_MAX 16

struct changed_regions {
    struct box
        boxes[CHANGED_REGIONS_MAX]; /* from the top, then from the left */
    size_t count;
};

/*
 * The smallest boxes around changes that are near each other: letters are one
 * line, a line's parts one box. No two of them overlap. The more there would
 * be, the further apart may changes be that share one.
 */
void changed_regions_find(struct changed_regions *regions,
                          const struct changed_tiles *changes);

#endif
