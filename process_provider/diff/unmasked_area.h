/* The part of a screen outside of its masks, as boxes that do not overlap. */
#ifndef PROCESS_PROVIDER_DIFF_UNMASKED_AREA_H
#define PROCESS_PROVIDER_DIFF_UNMASKED_AREA_H

#include <stddef.h>
#include <stdint.h>

#include "base/picture/box.h"

struct unmasked_area {
    struct box *boxes; /* owned */
    size_t count;
    uint64_t pixels; /* of all of them */
};

/* width x height without the masks, which may lie anywhere. */
void unmasked_area_init(struct unmasked_area *areas, uint32_t width,
                        uint32_t height, const struct box *masks,
                        size_t mask_count);
void unmasked_area_release(struct unmasked_area *areas);

#endif
