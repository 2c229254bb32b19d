/*
 * Icons that people know, by what they look like: the usual ones of Android's
 * apps, as the fonts of Material Design have them.
 */
#ifndef PROCESS_PROVIDER_ICONS_H
#define PROCESS_PROVIDER_ICONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/picture.h"
#include "process_provider/silhouette.h"

struct icon {
    const char *name; /* "volume"; NULL: none is known that looks like it */
    float likeness;   /* from 0 to 1 */
    struct box box;   /* where it is */
    unsigned ink;     /* as in struct silhouette */
};

/* What icon is at (x, y). */
struct icon icons_find(const struct picture *picture, int x, int y);

/*
 * Are all icons known? Fails with ERR_NOT_FOUND or ERR_INVALID when a font
 * cannot be used.
 */
MUST_USE bool icons_ready(struct err *err);

#endif
