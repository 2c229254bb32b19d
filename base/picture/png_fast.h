/*
 * Fast PNG decoding for the format of most screenshots: eight bits, RGB or
 * RGBA, not interlaced, and no chunks that would change the pixels.
 */
#ifndef BASE_PICTURE_PNG_FAST_H
#define BASE_PICTURE_PNG_FAST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/picture/picture.h"

/*
 * Decode a PNG to the same pixels as libpng. False for any other PNG, whether
 * unusual or invalid: the content of picture is then undefined, and libpng must
 * be used, which also reports what is wrong.
 */
MUST_USE bool png_fast_decode(const void *bytes, size_t length,
                              struct picture *picture);

#endif
