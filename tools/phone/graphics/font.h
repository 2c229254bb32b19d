/*
 * Text rendering: Roboto, with other fonts for characters that it lacks
 * (Chinese, emoji). Without hinting, so the same text gives the same pixels on
 * every computer. One struct phone_fonts serves many phones, from any thread.
 */
#ifndef TOOLS_PHONE_GRAPHICS_FONT_H
#define TOOLS_PHONE_GRAPHICS_FONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/picture/canvas.h"
#include "tools/phone/graphics/text_size_cache.h"

/* Directories of the font files, if they differ from Debian's. */
#define FONTS_VARIABLE "PROCTOR_FONTS"

enum font_weight {
    FONT_REGULAR,
    FONT_LIGHT,
    FONT_MEDIUM,
    FONT_BOLD,
};

struct phone_font {
    enum font_weight weight;
    int size; /* in 1/64 pixels */
};

struct font_metrics {
    int ascent;  /* pixels above the base line */
    int descent; /* below it */
    int line;    /* distance of two base lines */
};

struct phone_fonts;

/*
 * Load the fonts. Fails with ERR_NOT_FOUND and the package of a missing file,
 * or with ERR_INVALID for a file that is no font.
 */
MUST_USE bool fonts_open(struct phone_fonts **fonts, struct err *err);
void fonts_close(struct phone_fonts *fonts); /* NULL is fine */

/* Sizes of texts in these fonts. Borrowed; from any thread. */
struct text_size_cache *fonts_text_sizes(struct phone_fonts *fonts);

struct font_metrics fonts_metrics(struct phone_fonts *fonts,
                                  struct phone_font font);

/*
 * Measure the first character of text, which must not be empty: its length in
 * bytes with combining characters, and its advance in 1/64 pixels.
 */
struct font_step {
    size_t bytes;
    uint32_t character; /* UTF8_REPLACEMENT for invalid UTF-8 */
    int advance;
};
struct font_step fonts_step(struct phone_fonts *fonts, struct phone_font font,
                            const char *text, size_t length);

/* The width of text on one line, in pixels. */
int fonts_measure(struct phone_fonts *fonts, struct phone_font font,
                  const char *text, size_t length);

/* Draw one line of text, starting at x with its base line at y. */
struct font_place {
    int x;
    int y;
};
void fonts_draw(struct phone_fonts *fonts, struct phone_font font,
                struct canvas *canvas, struct font_place place,
                const char *text, size_t length, uint32_t color);

/*
 * Draw a shape (tools/phone/graphics/vector_path.h), which must be static, to
 * fill a square.
 */
struct font_shape {
    const char *outline;
    float pen; /* 0: filled */
};
void fonts_draw_shape(struct phone_fonts *fonts, struct font_shape shape,
                      struct canvas *canvas, struct font_place corner, int size,
                      uint32_t color);

#endif
