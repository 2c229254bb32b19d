/* Text broken into lines: at blanks, between Chinese characters, at will. */
#ifndef PHONE_PARAGRAPH_H
#define PHONE_PARAGRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/phone/font.h"

struct paragraph {
    struct fonts *fonts; /* borrowed, as is text */
    struct font font;
    const char *text;
    int width;     /* the most a line may have, in pixels */
    int lines_max; /* 0: any number; what is left out shows as "…" */
};

struct paragraph_size {
    int width; /* of the longest line */
    int height;
    int lines;
};

struct paragraph_size paragraph_measure(const struct paragraph *paragraph);

enum paragraph_align {
    PARAGRAPH_LEFT,
    PARAGRAPH_CENTER,
    PARAGRAPH_RIGHT,
};

/* Draw its lines from the top of box, whose width is as measured for. */
void paragraph_draw(const struct paragraph *paragraph, struct canvas *canvas,
                    struct box box, enum paragraph_align align, uint32_t color);

#endif
