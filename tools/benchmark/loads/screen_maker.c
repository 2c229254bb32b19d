#include "tools/benchmark/loads/screen_maker.h"

#include "base/picture/canvas.h"
#include "process_provider/pictures/digit_font.h"

#define WIDTH 1080
#define HEIGHT 2400
#define SHEET_TOP 2100

#define PAPER 0xfff7f5faU
#define CARD 0xffffffffU
#define INK 0xff1c1b1fU
#define GREY 0xff6b6b70U

/* Strokes with smooth edges in place of text, all different. */
static void write_line(struct canvas *canvas, unsigned seed, float x, float y,
                       float height, uint32_t color)
{
    while (x < WIDTH - 120) {
        unsigned word;

        seed = seed * 1103515245U + 12345U;
        word = seed >> 8;
        digit_font_draw(canvas, word, x, y, height, color);
        x += digit_font_width(word, height) + height / 2;
    }
}

static void draw_card(struct canvas *canvas, struct box box, unsigned seed)
{
    struct box icon = {box.left + 32, box.top + 32, box.left + 128,
                       box.top + 128};
    uint32_t color = 0xff000000U | seed * 2654435761U >> 8;

    canvas_shadow(canvas, box, 24, (struct canvas_shadow){12, 4}, 0x30000000U);
    canvas_round(canvas, box, 24, CARD);
    canvas_round(canvas, icon, 48, color);
    write_line(canvas, seed, (float)icon.right + 32, (float)box.top + 36, 28,
               INK);
    write_line(canvas, seed + 7, (float)icon.right + 32, (float)box.top + 88,
               22, GREY);
    write_line(canvas, seed + 9, (float)icon.right + 32, (float)box.top + 124,
               22, GREY);
}

bool screen_make(struct picture *picture, bool sheet, struct err *err)
{
    struct canvas canvas;

    if (!picture_resize(picture, WIDTH, HEIGHT, err))
        return false;
    canvas_init(&canvas, picture);
    canvas_fill(&canvas, canvas.clip, PAPER);
    canvas_gradient(&canvas, (struct box){0, 0, WIDTH, 320}, 0xff4a3f9fU,
                    0xff7a5fd0U);
    write_line(&canvas, 3, 60, 180, 56, CARD);
    for (int i = 0; i < 10; i++)
        draw_card(&canvas,
                  (struct box){40, 360 + i * 200, WIDTH - 40, 530 + i * 200},
                  (unsigned)i + 1);
    if (sheet) {
        canvas_fill(&canvas, (struct box){0, SHEET_TOP, WIDTH, HEIGHT}, CARD);
        for (int i = 0; i < 2; i++)
            write_line(&canvas, 77 + (unsigned)i, 60,
                       (float)(SHEET_TOP + 60 + i * 120), 40, INK);
    }
    return true;
}
