/* Where to look: a screen without its masks, as boxes that do not overlap. */
#ifndef PROCESS_PROVIDER_AREAS_H
#define PROCESS_PROVIDER_AREAS_H

#include <stddef.h>
#include <stdint.h>

#include "base/box.h"

struct areas {
    struct box *boxes; /* owned */
    size_t count;
    uint64_t pixels; /* of all of them */
};

/* All of width x height but what is in masks, which may be anywhere. */
void areas_init(struct areas *areas, uint32_t width, uint32_t height,
                const struct box *masks, size_t mask_count);
void areas_release(struct areas *areas);

#endif
