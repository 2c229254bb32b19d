/* Coordinates as models count them, and the device's pixels. */
#ifndef RUNNER_COORDS_H
#define RUNNER_COORDS_H

#include <stdbool.h>

#include "base/err.h"
#include "tasks/action.h"

struct extent {
    int width;
    int height;
};

enum coords {
    COORDS_PX,     /* pixels of the picture that was sent */
    COORDS_UNIT,   /* from 0 to 1 */
    COORDS_999,    /* from 0 to 999 */
    COORDS_1000,   /* from 0 to 1000 */
    COORDS_SMART,  /* pixels of the picture as Qwen2-VL and its kin resize it */
    COORDS_SMART3, /* the same for Qwen3-VL */
    COORDS_KINDS,
};

/* "px", "unit", "999", "1000", "smart", "smart3". */
const char *coords_name(enum coords coords);
MUST_USE bool coords_find(const char *name, enum coords *coords);

/*
 * The size to which a model's processor brings a picture of this size: sides
 * that are multiples of factor, and no more pixels than it takes.
 */
struct extent coords_smart_resize(struct extent picture, int factor);

/* Where both axes end: the values of the right and the lower edge. */
void coords_edges(enum coords coords, struct extent picture, double *right,
                  double *bottom);

/*
 * The device's pixel at x, y of a picture of the screen. Fails with
 * ERR_INVALID for a point outside of the picture.
 */
MUST_USE bool coords_to_device(enum coords coords, struct extent picture,
                               struct extent screen, double x, double y,
                               struct action_point *point, struct err *err);

#endif
