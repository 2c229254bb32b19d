/* A font of digits for labels, drawn with round strokes. */
#ifndef PROCESS_PROVIDER_PICTURES_DIGIT_FONT_H
#define PROCESS_PROVIDER_PICTURES_DIGIT_FONT_H

#include "base/picture/canvas.h"

/* How wide number is when its digits are height pixels high. */
float digit_font_width(unsigned number, float height);

/* Draw number with its top left corner at x, y. */
void digit_font_draw(struct canvas *canvas, unsigned number, float x, float y,
                     float height, uint32_t color);

#endif
