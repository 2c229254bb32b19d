/* Pictures in another size. */
#ifndef BASE_SCALE_H
#define BASE_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/picture.h"

/*
 * Make of from, which must not be empty, a picture of width x height pixels,
 * with Lanczos' filter over three lobes: sharp, and without patterns that are
 * not there. What is transparent lends its colour to nothing.
 *
 * Fails as picture_resize; to, which must be another picture, is then as it
 * was.
 */
MUST_USE bool picture_scale(const struct picture *from, uint32_t width,
                            uint32_t height, struct picture *to,
                            struct err *err);

/* The same, to fit into width x height: smaller if need be, never larger. */
MUST_USE bool picture_shrink(const struct picture *from, uint32_t width,
                             uint32_t height, struct picture *to,
                             struct err *err);

#endif
