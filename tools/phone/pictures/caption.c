#include "tools/phone/pictures/caption.h"

#include <string.h>

#include "base/macros.h"
#include "base/picture/canvas.h"

/*
 * A letter is lines between points of a grid of 5 x 7, in pairs of digits: the
 * column, 0 to 4, and the row, 0 to 6 from the top; a blank lifts the pen.
 */
static const struct {
    char letter;
    const char *lines;
} letters[] = {
    {'A', "062046 1434"},
    {'B', "00063645443303 3342413000"},
    {'C', "41301001051636 3645"},
    {'D', "00062644422000"},
    {'E', "40000646 0333"},
    {'F', "400006 0333"},
    {'G', "4130100105163645433323"},
    {'H', "0006 4046 0343"},
    {'I', "1030 2026 1636"},
    {'J', "4045361605"},
    {'K', "0006 4003 1246"},
    {'L', "000646"},
    {'M', "0600234046"},
    {'N', "06004640"},
    {'O', "100105163645413010"},
    {'P', "06003041423303"},
    {'Q', "100105163645413010 2446"},
    {'R', "06003041423303 2346"},
    {'S', "4130100102133344453616 1605"},
    {'T', "0040 2026"},
    {'U', "000516364540"},
    {'V', "002640"},
    {'W', "0016233640"},
    {'X', "0046 4006"},
    {'Y', "002340 2326"},
    {'Z', "00400646"},
    {'0', "100105163645413010"},
    {'1', "112026 1636"},
    {'2', "01103041420646"},
    {'3', "01103041423344453616 1605 1333"},
    {'4', "36300444"},
    {'5', "400003324345361605"},
    {'6', "30100105163645443303"},
    {'7', "004016"},
    {'8', "13334241301001021304051636454433"},
    {'9', "163645413010010213 1343"},
    {'-', "1333"},
    {'.', "2626"},
    {'!', "2024 2626"},
    {'?', "01103041422324 2626"},
    {':', "2222 2525"},
    {'/', "4006"},
    {'+', "1333 2224"},
    {'&', "46110110203104051636 3645"},
    {',', "2617"},
    {'\'', "2021"},
};

static const char unknown[] = "0040460600";

#define ADVANCE 6 /* from one letter to the next, in columns */
#define COLUMNS 4
#define ROWS 6

static const char *lines_of(char letter)
{
    if (letter >= 'a' && letter <= 'z')
        letter = (char)(letter - 'a' + 'A');
    for (size_t i = 0; i < ARRAY_LEN(letters); i++) {
        if (letters[i].letter == letter)
            return letters[i].lines;
    }
    return letter == ' ' ? "" : unknown;
}

static bool is_point(const char *at)
{
    return at[0] && at[0] != ' ' && at[1] && at[1] != ' ';
}

static void draw_letter(const char *lines, float left, float top, float unit,
                        uint32_t color, struct canvas *canvas)
{
    struct canvas_line line = {.width = unit * 0.9F};
    bool down = false;

    for (const char *at = lines; *at;) {
        float x, y;

        if (!is_point(at)) {
            down = false;
            at++;
            continue;
        }
        x = left + (float)(at[0] - '0') * unit;
        y = top + (float)(at[1] - '0') * unit;
        line.x0 = down ? line.x1 : x;
        line.y0 = down ? line.y1 : y;
        line.x1 = x;
        line.y1 = y;
        canvas_line(canvas, line, color);
        down = true;
        at += 2;
    }
}

/* A character is its first byte: what follows in UTF-8 draws nothing. */
static bool is_start(char byte)
{
    return ((unsigned char)byte & 0xc0U) != 0x80U;
}

void caption_draw(const char *text, int x, int y, int size, uint32_t color,
                  struct picture *picture)
{
    struct canvas canvas;
    float unit = (float)size / ROWS;
    float left;
    int count = 0;

    for (const char *at = text; *at; at++)
        count += is_start(*at);
    left = (float)x - (float)(count * ADVANCE - (ADVANCE - COLUMNS)) * unit / 2;
    canvas_init(&canvas, picture);
    for (const char *at = text; *at; at++) {
        if (!is_start(*at))
            continue;
        draw_letter(lines_of(*at), left, (float)y - (float)size / 2, unit,
                    color, &canvas);
        left += ADVANCE * unit;
    }
}
