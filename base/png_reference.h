/* PNG by libpng, which knows every kind and says what is wrong with one. */
#ifndef BASE_PNG_REFERENCE_H
#define BASE_PNG_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/picture.h"

/* As png_decode. */
MUST_USE bool png_reference_decode(const void *bytes, size_t length,
                                   struct picture *picture, struct err *err);

#endif
