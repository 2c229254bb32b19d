/* Scaling of pictures. */
#ifndef BASE_PICTURE_PICTURE_SCALE_H
#define BASE_PICTURE_PICTURE_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/picture/picture.h"

/*
 * Scale from, which must not be empty, to width x height pixels, with a Lanczos
 * filter of three lobes: sharp, without aliasing. Transparent pixels do not
 * affect the color of others.
 *
 * Fails as picture_resize; to, which must be another picture, is then
 * unchanged.
 */
MUST_USE bool picture_scale(const struct picture *from, uint32_t width,
                            uint32_t height, struct picture *to,
                            struct err *err);

/* The same, to fit into width x height: smaller if needed, never larger. */
MUST_USE bool picture_shrink(const struct picture *from, uint32_t width,
                             uint32_t height, struct picture *to,
                             struct err *err);

#endif
