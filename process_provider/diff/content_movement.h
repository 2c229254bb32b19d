/*
 * Scrolling: a part of the screen whose content was elsewhere before. Bars
 * above and below, or a button on top, may stay in place.
 */
#ifndef PROCESS_PROVIDER_DIFF_CONTENT_MOVEMENT_H
#define PROCESS_PROVIDER_DIFF_CONTENT_MOVEMENT_H

#include <stdbool.h>

#include "base/picture/box.h"
#include "base/picture/picture.h"

struct content_movement {
    int dx, dy;      /* of the content, in pixels; one of them is 0 */
    struct box area; /* where the moved content is now */
};

/*
 * Did content move along one axis within changed, the box around all that
 * changed between two pictures of the same size? It must look exactly as it
 * did, as it does in lossless screenshots.
 */
bool content_movement_find(const struct picture *before,
                           const struct picture *after, struct box changed,
                           struct content_movement *movement);

#endif
