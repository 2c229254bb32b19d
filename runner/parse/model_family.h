/*
 * The families of models, by their notation: their coordinates, and where they
 * differ from the default.
 */
#ifndef RUNNER_PARSE_MODEL_FAMILY_H
#define RUNNER_PARSE_MODEL_FAMILY_H

#include <stdbool.h>

#include "runner/parse/coords.h"
#include "runner/parse/loose_value.h"

/* Whether typing adds to the text in the field or replaces it. */
enum model_family_typing {
    MODEL_FAMILY_TYPING_DEFAULT, /* as the family does; most append */
    MODEL_FAMILY_APPENDS,
    MODEL_FAMILY_REPLACES,
    MODEL_FAMILY_TYPINGS,
};

struct model_family {
    const char *name;
    enum coords coords;
    bool y_first;             /* points are y, x */
    bool box_2d_y_first;      /* box_2d is ymin, xmin, ymax, xmax */
    bool typing_submits;      /* typing includes Enter */
    bool typing_replaces;     /* typing clears the field first */
    bool counts_milliseconds; /* a duration without a unit is in milliseconds */
};

/* NULL: there is none. */
const struct model_family *model_family_find(const char *name);

/* Guess it from a reply; never NULL. */
const struct model_family *model_family_guess(struct text_span reply);

#endif
