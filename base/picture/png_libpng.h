/*
 * PNG decoding by libpng, which supports all variants and reports what is
 * wrong.
 */
#ifndef BASE_PICTURE_PNG_LIBPNG_H
#define BASE_PICTURE_PNG_LIBPNG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/picture/picture.h"

/* As png_decode. */
MUST_USE bool png_libpng_decode(const void *bytes, size_t length,
                                struct picture *picture, struct err *err);

#endif
