#include "process_provider/pictures/digit_font.h"

#include <stdio.h>

/*
 * Each digit is one line through points on a grid of 4 by 6, from the top
 * left. "10 30" goes from column 1 to column 3 of row 0.
 */
static const char *const strokes[10] = {
    "10 30 41 45 36 16 05 01 10",
    "01 20 26",
    "01 10 30 41 42 06 46",
    "01 10 30 41 42 33 23 33 44 45 36 16 05",
    "36 30 04 44",
    "40 00 03 12 32 43 45 36 16 05",
    "41 30 10 01 05 16 36 45 44 33 13 04",
    "00 40 16",
    "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
    "05 16 36 45 41 30 10 01 02 13 33 42",
};

/* In units of the grid. */
#define WIDTH 4.0F
#define HEIGHT 6.0F
#define GAP 2.2F
#define PEN 1.1F

/* Room for the digits of an unsigned number. */
#define TEXT_MAX 16

static int write_number(unsigned number, char text[TEXT_MAX])
{
    return snprintf(text, TEXT_MAX, "%u", number);
}

/* The grid's unit: half of the pen is outside of it on either side. */
static float unit_of(float height)
{
    return height / (HEIGHT + PEN);
}

float digit_font_width(unsigned number, float height)
{
    char text[TEXT_MAX];
    float count = (float)write_number(number, text);

    return (count * (WIDTH + GAP) - GAP + PEN) * unit_of(height);
}

static void draw_digit(struct canvas *canvas, const char *stroke, float x,
                       float y, float unit, uint32_t color)
{
    for (; stroke[2]; stroke += 3) {
        struct canvas_line line = {
            x + (float)(stroke[0] - '0') * unit,
            y + (float)(stroke[1] - '0') * unit,
            x + (float)(stroke[3] - '0') * unit,
            y + (float)(stroke[4] - '0') * unit,
            PEN * unit,
        };

        canvas_line(canvas, line, color);
    }
}

void digit_font_draw(struct canvas *canvas, unsigned number, float x, float y,
                     float height, uint32_t color)
{
    float unit = unit_of(height);
    char text[TEXT_MAX];

    write_number(number, text);
    x += PEN / 2 * unit;
    y += PEN / 2 * unit;
    for (const char *digit = text; *digit; digit++) {
        draw_digit(canvas, strokes[*digit - '0'], x, y, unit, color);
        x += (WIDTH + GAP) * unit;
    }
}
