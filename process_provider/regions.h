/* Changed tiles as a few boxes: what a person would point at. */
#ifndef PROCESS_PROVIDER_REGIONS_H
#define PROCESS_PROVIDER_REGIONS_H

#include <stddef.h>

#include "base/box.h"
#include "process_provider/changes.h"

#define REGIONS_MAX 16

struct regions {
    struct box boxes[REGIONS_MAX]; /* from the top, then from the left */
    size_t count;
};

/*
 * The smallest boxes around changes that are near each other: letters are one
 * line, a line's parts one box. No two of them overlap. The more there would
 * be, the further apart may changes be that share one.
 */
void regions_find(struct regions *regions, const struct changes *changes);

#endif
