#include "process_provider/pictures/set_of_marks.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/macros.h"
#include "base/mem.h"
#include "base/picture/canvas.h"
#include "base/picture/luma.h"
#include "process_provider/pictures/digit_font.h"
#include "process_provider/pictures/picture_marks.h"

/* Of a digit, and the space around it, in widths of a thin line. */
#define DIGIT_HEIGHT 6
#define PADDING 2

#define OUTLINE 0.75F
#define RIM 0xe0ffffffU
#define DIGITS 0xffffffffU

/* Colours that white digits can be read on, next to each other unlike. */
static const uint32_t colors[] = {0xffd32f2fU, 0xff1976d2U, 0xff2e7d32U,
                                  0xff7b1fa2U, 0xffc2410cU, 0xff00707cU,
                                  0xffad1457U, 0xff4e4a46U};

/* Pixels that differ so much in brightness from their neighbours show. */
#define EDGE 24

/*
 * A summed-area table of visible detail: four of its values give the amount
 * within any box.
 */
struct busyness {
    uint32_t *sums; /* owned; (width + 1) x (height + 1) */
    size_t stride;
};

static bool is_edge(const uint8_t *pixel, const uint8_t *left,
                    const uint8_t *above)
{
    int here = luma(pixel);

    return abs(here - luma(left)) > EDGE || abs(here - luma(above)) > EDGE;
}

static void busyness_init(struct busyness *busyness,
                          const struct picture *picture)
{
    busyness->stride = (size_t)picture->width + 1;
    busyness->sums = mem_new(busyness->stride * ((size_t)picture->height + 1),
                             sizeof(*busyness->sums));
    for (uint32_t y = 0; y < picture->height; y++) {
        const uint8_t *row = picture_row(picture, y);
        const uint8_t *above = y ? picture_row(picture, y - 1) : row;
        const uint32_t *before = busyness->sums + y * busyness->stride;
        uint32_t *to = busyness->sums + (y + 1) * busyness->stride;
        uint32_t sum = 0;

        for (size_t x = 0; x < picture->width; x++) {
            const uint8_t *pixel = row + x * PICTURE_PIXEL;
            const uint8_t *left = x ? pixel - PICTURE_PIXEL : pixel;

            sum += is_edge(pixel, left, above + x * PICTURE_PIXEL);
            to[x + 1] = before[x + 1] + sum;
        }
    }
}

/* How many edges are in box, which is within the picture. */
static uint32_t busyness_in(const struct busyness *busyness, struct box box)
{
    const uint32_t *top = busyness->sums + (size_t)box.top * busyness->stride;
    const uint32_t *bottom =
        busyness->sums + (size_t)box.bottom * busyness->stride;

    return bottom[box.right] - bottom[box.left] - top[box.right] +
           top[box.left];
}

/* Where labels may go, and are already. */
struct placing {
    struct box screen;
    struct busyness busyness;
    const struct set_mark *marks;
    size_t count;
    size_t placed; /* of marks, from the first */
};

static int shared(struct box a, struct box b)
{
    struct box both = box_meet(a, b);

    return box_is_empty(both) ? 0 : box_width(both) * box_height(both);
}

static bool holds(struct box outer, struct box inner)
{
    return shared(outer, inner) == box_width(inner) * box_height(inner);
}

/* The cost of hiding a pixel of a label, of an edge, and any other. */
#define COST_LABEL 1000000
#define COST_EDGE 12
#define COST_WAY 4
#define PIXELS_OF_OTHERS 12 /* for 1 */

/* The cost of this place for the label of mark number i. */
static int64_t cost_of(const struct placing *placing, size_t i,
                       struct box label)
{
    struct box element = placing->marks[i].element;
    int64_t cost = (int64_t)busyness_in(&placing->busyness, label) * COST_EDGE;

    cost += COST_WAY * (int64_t)(abs(label.left - element.left) +
                                 abs(label.top - element.top));
    for (size_t k = 0; k < placing->count; k++) {
        const struct set_mark *other = &placing->marks[k];

        if (k < placing->placed)
            cost += (int64_t)shared(label, other->label) * COST_LABEL;
        /* Inside another element it would look like the number of that one. */
        if (k != i && !holds(other->element, element))
            cost += shared(label, other->element) / PIXELS_OF_OTHERS;
    }
    return cost;
}

/* Into the screen, if it is beyond an edge. */
static struct box pushed_in(struct box screen, int x, int y, int width,
                            int height)
{
    x = x > screen.right - width ? screen.right - width : x;
    y = y > screen.bottom - height ? screen.bottom - height : y;
    x = x > 0 ? x : 0;
    y = y > 0 ? y : 0;
    return box_meet(screen, (struct box){x, y, x + width, y + height});
}

/* Along one side: further out, outside, at the edge and in the middle. */
#define ANCHORS 7
static void anchors(int from, int to, int size, int at[ANCHORS])
{
    at[0] = from;
    at[1] = from - size;
    at[2] = to - size;
    at[3] = to;
    at[4] = (from + to - size) / 2;
    at[5] = from - 2 * size;
    at[6] = to + size;
}

static struct box place(const struct placing *placing, size_t i, int width,
                        int height)
{
    struct box element = placing->marks[i].element;
    struct box best = {0, 0, 0, 0};
    int64_t least = INT64_MAX;
    int xs[ANCHORS], ys[ANCHORS];

    anchors(element.left, element.right, width, xs);
    anchors(element.top, element.bottom, height, ys);
    for (int k = 0; k < ANCHORS * ANCHORS; k++) {
        struct box label = pushed_in(placing->screen, xs[k % ANCHORS],
                                     ys[k / ANCHORS], width, height);
        int64_t cost = cost_of(placing, i, label);

        if (cost < least) {
            least = cost;
            best = label;
        }
    }
    return best;
}

static void place_all(struct picture *picture, struct set_mark *marks,
                      size_t count, int unit)
{
    struct placing placing = {
        .screen = {0, 0, (int)picture->width, (int)picture->height},
        .marks = marks,
        .count = count,
    };
    float height = (float)(DIGIT_HEIGHT * unit);

    busyness_init(&placing.busyness, picture);
    for (; placing.placed < count; placing.placed++) {
        struct set_mark *mark = &marks[placing.placed];
        float width = digit_font_width(mark->number, height);

        mark->label = (struct box){0, 0, 0, 0};
        if (!box_is_empty(box_meet(mark->element, placing.screen)))
            mark->label = place(&placing, placing.placed,
                                (int)(width + 0.5F) + 2 * PADDING * unit,
                                (int)height + 2 * PADDING * unit);
    }
    free(placing.busyness.sums);
}

static void draw_label(struct canvas *canvas, const struct set_mark *mark,
                       int unit, uint32_t color)
{
    struct box rim = box_inset(mark->label, -(unit + 1) / 2);

    canvas_round(canvas, rim, (float)(2 * unit), RIM);
    canvas_round(canvas, mark->label, (float)(2 * unit), color);
    digit_font_draw(canvas, mark->number,
                    (float)(mark->label.left + PADDING * unit),
                    (float)(mark->label.top + PADDING * unit),
                    (float)(DIGIT_HEIGHT * unit), DIGITS);
}

void set_of_marks_draw(struct picture *picture, struct set_mark *marks,
                       size_t count)
{
    int unit = picture_mark_unit(picture);
    struct canvas canvas;

    count = count < SET_OF_MARKS_MAX ? count : SET_OF_MARKS_MAX;
    place_all(picture, marks, count, unit);
    canvas_init(&canvas, picture);
    for (size_t i = 0; i < count; i++)
        canvas_ring(&canvas, marks[i].element, (float)unit,
                    (float)unit * OUTLINE, colors[i % ARRAY_LEN(colors)]);
    for (size_t i = 0; i < count; i++) {
        if (!box_is_empty(marks[i].label))
            draw_label(&canvas, &marks[i], unit, colors[i % ARRAY_LEN(colors)]);
    }
}
