/* Conversion of model coordinates to pixels of the phone. */
#ifndef RUNNER_PARSE_COORDS_H
#define RUNNER_PARSE_COORDS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/extent.h"
#include "tasks/task/action.h"

enum coords {
    COORDS_PX,     /* pixels of the picture that was sent */
    COORDS_UNIT,   /* from 0 to 1 */
    COORDS_999,    /* from 0 to 999 */
    COORDS_1000,   /* from 0 to 1000 */
    COORDS_SMART,  /* pixels of the picture as resized by Qwen2-VL and similar
                      models */
    COORDS_SMART3, /* the same for Qwen3-VL */
    COORDS_KINDS,
};

/* "px", "unit", "999", "1000", "smart", "smart3". */
const char *coords_name(enum coords coords);
MUST_USE bool coords_find(const char *name, enum coords *coords);

/*
 * The size to which the model's preprocessor resizes a picture: sides that are
 * multiples of factor, and no more pixels than its limit.
 */
struct extent coords_smart_resize(struct extent picture, int factor);

/* The coordinates of the right and the lower edge. */
void coords_edges(enum coords coords, struct extent picture, double *right,
                  double *bottom);

/*
 * Convert x, y to a pixel of the phone. Fails with ERR_INVALID for a point
 * outside the picture.
 */
MUST_USE bool coords_to_device(enum coords coords, struct extent picture,
                               struct extent screen, double x, double y,
                               struct action_point *point, struct err *err);

#endif
