#include "process_provider/pictures/picture_marks.h"

#include <math.h>

#include "base/picture/canvas.h"

#define RIM 0xe0ffffffU
#define RIM_OUTER 0x90000000U

/* Sides of the picture's shorter side that a thin line is. */
#define UNITS 270

int picture_mark_unit(const struct picture *picture)
{
    uint32_t side =
        picture->width < picture->height ? picture->width : picture->height;

    return side < 2 * UNITS ? 1 : (int)(side / UNITS);
}

/* One stroke of a mark, in units: what is drawn, and how wide. */
struct pen {
    uint32_t color;
    float extra; /* on either side of the stroke */
};

/* From the outside: dark, light, and the colour on top of both. */
#define PENS 3
static void make_pens(struct pen pens[PENS], uint32_t color, float unit)
{
    pens[0] = (struct pen){RIM_OUTER, unit};
    pens[1] = (struct pen){RIM, unit / 2};
    pens[2] = (struct pen){color, 0};
}

void picture_mark_box(struct picture *picture, struct box box, uint32_t color)
{
    int unit = picture_mark_unit(picture);
    struct pen pens[PENS];
    struct canvas canvas;

    canvas_init(&canvas, picture);
    make_pens(pens, color, (float)unit);
    for (int i = 0; i < PENS; i++) {
        float extra = pens[i].extra;
        struct box outer = box_inset(box, -unit - (int)(extra + 0.5F));

        canvas_ring(&canvas, outer, 2 * (float)unit, (float)unit + 2 * extra,
                    pens[i].color);
    }
}

static void draw_ring(struct canvas *canvas, struct action_point at,
                      float radius, float width, struct pen pen)
{
    int reach = (int)(radius + pen.extra + 0.5F);
    struct box box = {at.x - reach, at.y - reach, at.x + reach + 1,
                      at.y + reach + 1};

    canvas_ring(canvas, box, (float)reach + 1, width + 2 * pen.extra,
                pen.color);
}

static void draw_line(struct canvas *canvas, struct canvas_line line,
                      struct pen pen)
{
    line.width += 2 * pen.extra;
    canvas_line(canvas, line, pen.color);
}

void picture_mark_tap(struct picture *picture, struct action_point at)
{
    static const float ways[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    float unit = (float)picture_mark_unit(picture);
    float x = (float)at.x + 0.5F;
    float y = (float)at.y + 0.5F;
    struct pen pens[PENS];
    struct canvas canvas;

    canvas_init(&canvas, picture);
    make_pens(pens, PICTURE_MARK_RED, unit);
    for (int i = 0; i < PENS; i++) {
        draw_ring(&canvas, at, 11 * unit, 2 * unit, pens[i]);
        for (int k = 0; k < 4; k++) {
            const float *way = ways[k];
            struct canvas_line arm = {
                x + way[0] * 7 * unit, y + way[1] * 7 * unit,
                x + way[0] * 16 * unit, y + way[1] * 16 * unit, 2 * unit};

            draw_line(&canvas, arm, pens[i]);
        }
    }
}

void picture_mark_swipe(struct picture *picture, struct action_point from,
                        struct action_point to)
{
    float unit = (float)picture_mark_unit(picture);
    float x0 = (float)from.x + 0.5F, y0 = (float)from.y + 0.5F;
    float x1 = (float)to.x + 0.5F, y1 = (float)to.y + 0.5F;
    float length = fmaxf(hypotf(x1 - x0, y1 - y0), 1);
    float dx = (x1 - x0) / length, dy = (y1 - y0) / length;
    float head = fminf(10 * unit, length);
    /* The head's two strokes go back and aside from the tip. */
    struct canvas_line lines[] = {
        {x0, y0, x1, y1, 3 * unit},
        {x1, y1, x1 - head * (dx - 0.6F * dy), y1 - head * (dy + 0.6F * dx),
         3 * unit},
        {x1, y1, x1 - head * (dx + 0.6F * dy), y1 - head * (dy - 0.6F * dx),
         3 * unit},
    };
    struct pen pens[PENS];
    struct canvas canvas;

    canvas_init(&canvas, picture);
    make_pens(pens, PICTURE_MARK_RED, unit);
    for (int i = 0; i < PENS; i++) {
        draw_ring(&canvas, from, 4 * unit, 2 * unit, pens[i]);
        for (int k = 0; k < 3; k++)
            draw_line(&canvas, lines[k], pens[i]);
    }
}

void picture_mark_action(struct picture *picture, const struct action *action)
{
    if (action->has_from && action->has_to)
        picture_mark_swipe(picture, action->from, action->to);
    else if (action->has_from)
        picture_mark_tap(picture, action->from);
}
