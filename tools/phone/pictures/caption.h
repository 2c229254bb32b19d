/*
 * Captions: Latin letters, digits and some signs, drawn with a round pen. They
 * need no font, so that a document looks the same wherever it is drawn.
 */
#ifndef TOOLS_PHONE_PICTURES_CAPTION_H
#define TOOLS_PHONE_PICTURES_CAPTION_H

#include <stdint.h>

#include "base/picture/picture.h"

#define CAPTION_SIZE_MIN 8
#define CAPTION_SIZE_MAX 96
#define CAPTION_LENGTH_MAX 48 /* bytes of a text */

/*
 * Draw text with its middle at (x, y); size is the height of its letters. Small
 * letters are drawn as capital ones, unknown characters as a frame. What lies
 * beyond the picture, which is opaque, is not seen.
 */
void caption_draw(const char *text, int x, int y, int size, uint32_t color,
                  struct picture *picture);

#endif
