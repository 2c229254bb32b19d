/*
 * PNG the quick way, for what screens are saved as: eight bits, RGB or RGBA,
 * not interlaced, and nothing that would change the pixels.
 */
#ifndef BASE_PNG_QUICK_H
#define BASE_PNG_QUICK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/picture.h"

/*
 * Decode a PNG that libpng would take, too, to the same pixels. False for any
 * other, be it unusual or broken: picture then has any content, and libpng is
 * to say what the PNG is or why not.
 */
MUST_USE bool png_quick_decode(const void *bytes, size_t length,
                               struct picture *picture);

#endif
