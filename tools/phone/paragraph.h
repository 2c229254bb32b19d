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

/* Where the byte at offset is drawn: the pen before it, and its line's top. */
struct paragraph_spot {
    int x;
    int y;
};
struct paragraph_spot paragraph_spot(const struct paragraph *paragraph,
                                     size_t offset);

/* The offset that is nearest to a point, measured from the top left. */
size_t paragraph_offset(const struct paragraph *paragraph, int x, int y);

enum paragraph_align {
    PARAGRAPH_LEFT,
    PARAGRAPH_CENTER,
    PARAGRAPH_RIGHT,
};

/* Draw its lines from the top of box, whose width is as measured for. */
void paragraph_draw(const struct paragraph *paragraph, struct canvas *canvas,
                    struct box box, enum paragraph_align align, uint32_t color);

#endif
