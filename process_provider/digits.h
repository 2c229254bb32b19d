/* Digits, drawn with round strokes: all that labels need, without a font. */
#ifndef PROCESS_PROVIDER_DIGITS_H
#define PROCESS_PROVIDER_DIGITS_H

#include "base/canvas.h"

/* How wide number is when its digits are height pixels high. */
float digits_width(unsigned number, float height);

/* Draw number with its top left corner at x, y. */
void digits_draw(struct canvas *canvas, unsigned number, float x, float y,
                 float height, uint32_t color);

#endif
