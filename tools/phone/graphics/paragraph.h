/*
 * Text broken into lines: at blanks, between Chinese characters, and inside of
 * long words.
 */
#ifndef TOOLS_PHONE_GRAPHICS_PARAGRAPH_H
#define TOOLS_PHONE_GRAPHICS_PARAGRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/phone/graphics/font.h"

struct paragraph {
    struct phone_fonts *fonts; /* borrowed, as is text */
    struct phone_font font;
    const char *text;
    int width;     /* maximum width of a line, in pixels */
    int lines_max; /* 0: no limit; omitted text is shown as "…" */
};

struct paragraph_size {
    int width; /* of the longest line */
    int height;
    int lines;
};

struct paragraph_size paragraph_measure(const struct paragraph *paragraph);

/* The position of the byte at offset: the pen before it, and the line's top. */
struct paragraph_spot {
    int x;
    int y;
};
struct paragraph_spot paragraph_spot(const struct paragraph *paragraph,
                                     size_t offset);

/* The offset nearest to a point, relative to the top left. */
size_t paragraph_offset(const struct paragraph *paragraph, int x, int y);

enum paragraph_align {
    PARAGRAPH_LEFT,
    PARAGRAPH_CENTER,
    PARAGRAPH_RIGHT,
};

/* Draw the lines from the top of box, which has the measured width. */
void paragraph_draw(const struct paragraph *paragraph, struct canvas *canvas,
                    struct box box, enum paragraph_align align, uint32_t color);

#endif
