/*
 * Text: Roboto, with other fonts for what it lacks (Chinese, emoji).
 *
 * Letters keep their own shapes (no hinting), so the same text is the same
 * pixels everywhere. One struct fonts serves many phones, from any thread.
 */
#ifndef PHONE_FONT_H
#define PHONE_FONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/canvas.h"
#include "base/err.h"

/* The directory of the fonts' files, where they are not as Debian has them. */
#define FONTS_VARIABLE "PROCTOR_FONTS"

enum font_weight {
    FONT_REGULAR,
    FONT_LIGHT,
    FONT_MEDIUM,
    FONT_BOLD,
};

struct font {
    enum font_weight weight;
    int size; /* in 1/64 pixels */
};

struct font_metrics {
    int ascent;  /* pixels above the base line */
    int descent; /* below it */
    int line;    /* from one base line to the next */
};

struct fonts;

/*
 * Load the fonts. Fails with ERR_NOT_FOUND, naming the package that holds a
 * missing file, and with ERR_INVALID for a file that is no font.
 */
MUST_USE bool fonts_open(struct fonts **fonts, struct err *err);
void fonts_close(struct fonts *fonts); /* NULL is fine */

struct font_metrics fonts_metrics(struct fonts *fonts, struct font font);

/*
 * The first character of text, which must not be empty: how many bytes it has
 * (with what belongs to it), how far the pen moves, in 1/64 pixels.
 */
struct font_step {
    size_t bytes;
    uint32_t character; /* UTF8_REPLACEMENT for what is no UTF-8 */
    int advance;
};
struct font_step fonts_step(struct fonts *fonts, struct font font,
                            const char *text, size_t length);

/* The width of text on one line, in pixels. */
int fonts_measure(struct fonts *fonts, struct font font, const char *text,
                  size_t length);

/* Draw text on one line that begins at x, with its base line at y. */
struct font_place {
    int x;
    int y;
};
void fonts_draw(struct fonts *fonts, struct font font, struct canvas *canvas,
                struct font_place place, const char *text, size_t length,
                uint32_t color);

/* Draw a shape (tools/phone/shape.h), which is never freed, to fill a square.
 */
struct font_shape {
    const char *outline;
    float pen; /* 0: filled */
};
void fonts_draw_shape(struct fonts *fonts, struct font_shape shape,
                      struct canvas *canvas, struct font_place corner, int size,
                      uint32_t color);

#endif
