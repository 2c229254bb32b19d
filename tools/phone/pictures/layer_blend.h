/* How a layer is put on those below it. */
#ifndef TOOLS_PHONE_PICTURES_LAYER_BLEND_H
#define TOOLS_PHONE_PICTURES_LAYER_BLEND_H

#include <stdbool.h>

#include "base/macros.h"
#include "base/picture/picture.h"

enum layer_blend {
    LAYER_BLEND_NORMAL,
    LAYER_BLEND_MULTIPLY,
    LAYER_BLEND_SCREEN,
    LAYER_BLEND_OVERLAY,
    LAYER_BLEND_SOFT_LIGHT,
    LAYER_BLEND_DARKEN,
    LAYER_BLEND_LIGHTEN,
    LAYER_BLEND_DIFFERENCE,
    LAYER_BLENDS,
};

/* Their names in documents: "soft_light"; NULL for a number that is none. */
const char *layer_blend_name(enum layer_blend blend);
MUST_USE bool layer_blend_find(const char *name, enum layer_blend *blend);

/*
 * Put layer on below, of the same size, with an opacity of 0 to 100. Where mask
 * is black nothing is put; it has the same size, or is NULL.
 */
void layer_blend_put(enum layer_blend blend, int opacity,
                     const struct picture *layer, const struct picture *mask,
                     struct picture *below);

#endif
