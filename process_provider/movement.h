/*
 * Scrolling: a part of the screen that shows what was elsewhere before. Bars
 * above and below, or a button on top, may stay where they are.
 */
#ifndef PROCESS_PROVIDER_MOVEMENT_H
#define PROCESS_PROVIDER_MOVEMENT_H

#include <stdbool.h>

#include "base/box.h"
#include "base/picture.h"

struct movement {
    int dx, dy;      /* of the content, in pixels; one of them is 0 */
    struct box area; /* that holds what moved, where it is now */
};

/*
 * Did content move along one axis within changed, the box around all that
 * changed between two pictures of the same size? It must look exactly as it
 * did, as it does in lossless screenshots.
 */
bool movement_find(const struct picture *before, const struct picture *after,
                   struct box changed, struct movement *movement);

#endif
