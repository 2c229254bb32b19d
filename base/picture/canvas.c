#include "base/picture/canvas.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <wchar.h>

#define OPAQUE 255U

/* Two of a pixel's four bytes, in lanes wide enough for a product. */
#define LANES 0x00ff00ffU

/* ---- colors ---- */

static unsigned alpha_of(uint32_t color)
{
    return color >> 24;
}

/* a * b, where 255 is 1. */
static unsigned part_of(unsigned a, unsigned b)
{
    return (a * b + 127) / 255;
}

uint32_t color_fade(uint32_t color, unsigned part)
{
    return (color & 0xffffffU) | part_of(alpha_of(color), part) << 24;
}

/* Interpolate each byte of two words: 0 is under, 256 is over. */
static inline uint32_t mix(uint32_t under, uint32_t over, uint32_t part)
{
    uint32_t even = (under & LANES) * (256 - part) + (over & LANES) * part;
    uint32_t odd =
        (under >> 8 & LANES) * (256 - part) + (over >> 8 & LANES) * part;

    return (even >> 8 & LANES) | (odd & ~LANES);
}

/* Convert from 0..255 to 0..256. */
static inline uint32_t widen(unsigned part)
{
    return part + (part >> 7);
}

uint32_t color_between(uint32_t from, uint32_t to, unsigned part)
{
    return mix(from, to, widen(part));
}

/* The opaque pixel of a color, as stored in memory. */
static uint32_t pixel_of(uint32_t color)
{
    const uint8_t bytes[PICTURE_PIXEL] = {
        (uint8_t)(color >> 16), (uint8_t)(color >> 8), (uint8_t)color, OPAQUE};
    uint32_t pixel;

    memcpy(&pixel, bytes, sizeof(pixel));
    return pixel;
}

/* ---- pixels ---- */

static inline uint32_t *row_at(const struct canvas *canvas, int y)
{
    return (uint32_t *)(void *)picture_row(canvas->picture, (uint32_t)y);
}

/* The pixel and its opacity for drawing a shape. */
struct canvas_ink {
    uint32_t pixel;
    unsigned alpha;
};

static struct canvas_ink ink_of(uint32_t color)
{
    return (struct canvas_ink){pixel_of(color), alpha_of(color)};
}

/* cover is 0 to 255. */
static inline void put(uint32_t *at, struct canvas_ink ink, unsigned cover)
{
    *at = mix(*at, ink.pixel, widen(part_of(ink.alpha, cover)));
}

/* The same for many pixels, two of them in a word at a time. */
static void blend_span(uint32_t *at, int count, struct canvas_ink ink)
{
    const uint64_t lanes = LANES * UINT64_C(0x100000001);
    const uint64_t two = ink.pixel * UINT64_C(0x100000001);
    const uint64_t part = widen(ink.alpha);
    const uint64_t even = (two & lanes) * part;
    const uint64_t odd = (two >> 8 & lanes) * part;

    for (; count >= 2; count -= 2, at += 2) {
        uint64_t under;

        memcpy(&under, at, sizeof(under));
        under = (((under & lanes) * (256 - part) + even) >> 8 & lanes) |
                (((under >> 8 & lanes) * (256 - part) + odd) & ~lanes);
        memcpy(at, &under, sizeof(under));
    }
    if (count)
        *at = mix(*at, ink.pixel, (uint32_t)part);
}

static void put_span(uint32_t *row, int from, int to, struct canvas_ink ink)
{
    if (ink.alpha == OPAQUE) {
        /* The fastest way in C to fill memory with words. */
        static_assert(sizeof(wchar_t) == sizeof(*row), "wide characters");
        wmemset((wchar_t *)row + from, (wchar_t)ink.pixel, (size_t)(to - from));
        return;
    }
    blend_span(row + from, to - from, ink);
}

static unsigned cover_of(float part)
{
    return part <= 0 ? 0 : part >= 1 ? OPAQUE : (unsigned)(part * 255 + 0.5F);
}

static int between(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* ---- whole areas ---- */

void canvas_init(struct canvas *canvas, struct picture *picture)
{
    canvas->picture = picture;
    canvas->clip =
        (struct box){0, 0, (int)picture->width, (int)picture->height};
}

struct box canvas_clip(struct canvas *canvas, struct box box)
{
    struct box before = canvas->clip;

    canvas->clip = box_meet(before, box);
    return before;
}

void canvas_fill(struct canvas *canvas, struct box box, uint32_t color)
{
    struct canvas_ink ink = ink_of(color);

    box = box_meet(box, canvas->clip);
    for (int y = box.top; y < box.bottom; y++)
        put_span(row_at(canvas, y), box.left, box.right, ink);
}

/*
 * Slow gradients have visible steps. Ordered dithering (Bayer) over squares of
 * four pixels hides them.
 */
#define DITHER 4

/* Fill count pixels with a pattern, doubling the copied part each time. */
static void repeat(uint32_t *to, int count, const uint32_t pattern[DITHER])
{
    size_t size = (size_t)count * sizeof(*to);
    size_t done = DITHER * sizeof(*to);

    done = done < size ? done : size;
    memcpy(to, pattern, done);
    while (done < size) {
        size_t more = done < size - done ? done : size - done;

        memcpy((char *)to + done, to, more);
        done += more;
    }
}

static void gradient_row(uint32_t *row, struct box box, int y, uint32_t top,
                         uint32_t bottom, float at)
{
    static const float order[DITHER][DITHER] = {
        {0.0F, 0.5F, 0.125F, 0.625F},
        {0.75F, 0.25F, 0.875F, 0.375F},
        {0.1875F, 0.6875F, 0.0625F, 0.5625F},
        {0.9375F, 0.4375F, 0.8125F, 0.3125F}};
    uint32_t pattern[DITHER];

    for (int x = 0; x < DITHER; x++) {
        uint32_t color = 0;

        for (int shift = 0; shift < 24; shift += 8) {
            float low = (float)(top >> shift & 0xff);
            float high = (float)(bottom >> shift & 0xff);
            float value = low + (high - low) * at + order[y % DITHER][x];

            color |= (uint32_t)value << shift;
        }
        pattern[x] = pixel_of(color);
    }
    repeat(row + box.left, box_width(box), pattern);
}

void canvas_gradient(struct canvas *canvas, struct box box, uint32_t top,
                     uint32_t bottom)
{
    struct box seen = box_meet(box, canvas->clip);

    for (int y = seen.top; y < seen.bottom; y++) {
        float at = ((float)(y - box.top) + 0.5F) / (float)box_height(box);

        gradient_row(row_at(canvas, y), seen, y, top, bottom, at);
    }
}

/* ---- rounded corners ---- */

/*
 * The distance from a pixel's center to the edge of a box with rounded corners:
 * negative inside. It is exact enough to be used as the coverage at the edge.
 */
struct corner_rounding {
    float x, y;           /* the center */
    float half_x, half_y; /* half the distance between the centers of the corner
                             circles */
    float radius;
};

static struct corner_rounding rounding_of(struct box box, float radius)
{
    float width = (float)box_width(box);
    float height = (float)box_height(box);
    float most = fminf(width, height) / 2;

    radius = fminf(radius, most);
    return (struct corner_rounding){
        .x = (float)box.left + width / 2,
        .y = (float)box.top + height / 2,
        .half_x = width / 2 - radius,
        .half_y = height / 2 - radius,
        .radius = radius,
    };
}

/*
 * The distance beyond the centers of the corners, on either axis; negative
 * between them.
 */
static inline float beyond_x(const struct corner_rounding *r, int x)
{
    return fabsf((float)x + 0.5F - r->x) - r->half_x;
}

static inline float beyond_y(const struct corner_rounding *r, int y)
{
    return fabsf((float)y + 0.5F - r->y) - r->half_y;
}

static inline float distance_to(const struct corner_rounding *r, int x, int y)
{
    float dx = beyond_x(r, x);
    float dy = beyond_y(r, y);

    if (dx <= 0 || dy <= 0)
        return (dx > dy ? dx : dy) - r->radius;
    return sqrtf(dx * dx + dy * dy) - r->radius;
}

/*
 * Half the width, in row y, of the area deeper than depth. Negative where the
 * area is empty.
 */
static float half_width(const struct corner_rounding *r, int y, float depth)
{
    float dy = beyond_y(r, y);
    float radius = r->radius - depth;

    if (dy > radius)
        return -1;
    if (dy <= 0 || radius <= 0)
        return r->half_x + radius;
    return r->half_x + sqrtf(radius * radius - dy * dy);
}

void canvas_round(struct canvas *canvas, struct box box, float radius,
                  uint32_t color)
{
    struct corner_rounding r = rounding_of(box, radius);
    struct canvas_ink ink = ink_of(color);
    struct box seen = box_meet(box, canvas->clip);

    for (int y = seen.top; y < seen.bottom; y++) {
        uint32_t *row = row_at(canvas, y);
        float whole = half_width(&r, y, 0.5F);
        float touched = half_width(&r, y, -0.5F);
        int from = between((int)floorf(r.x - touched), seen.left, seen.right);
        int to = between((int)ceilf(r.x + touched), from, seen.right);
        int first = between((int)ceilf(r.x - whole), from, to);
        int last = between((int)floorf(r.x + whole), first, to);

        if (touched < 0)
            continue;
        for (int x = from; x < first; x++)
            put(&row[x], ink, cover_of(0.5F - distance_to(&r, x, y)));
        put_span(row, first, last, ink);
        for (int x = last; x < to; x++)
            put(&row[x], ink, cover_of(0.5F - distance_to(&r, x, y)));
    }
}

/*
 * What is drawn along the edge: the opacity by distance, and the depth from
 * which on nothing is drawn.
 */
struct canvas_edge {
    struct corner_rounding shape;
    struct canvas_ink ink;
    float (*cover)(float distance, float extent);
    float extent;
    float depth;
};

static void put_edge(uint32_t *row, int from, int to, int y,
                     const struct canvas_edge *edge)
{
    for (int x = from; x < to; x++) {
        float distance = distance_to(&edge->shape, x, y);
        unsigned part = cover_of(edge->cover(distance, edge->extent));

        if (part)
            put(&row[x], edge->ink, part);
    }
}

/*
 * Draw one row, in three parts: two with a corner or a side, pixel by pixel,
 * and the middle, which is uniform, or skipped.
 */
static void put_edge_row(uint32_t *row, struct box seen, int y,
                         const struct canvas_edge *edge)
{
    const struct corner_rounding *r = &edge->shape;
    float inside = half_width(r, y, edge->depth);
    bool hollow = inside > 0;
    float even = hollow ? inside : r->half_x;
    int middle = between((int)r->x, seen.left, seen.right);
    int first = between((int)ceilf(r->x - even), seen.left, middle);
    int last = between((int)floorf(r->x + even), middle, seen.right);
    unsigned part;

    put_edge(row, seen.left, first, y, edge);
    put_edge(row, last, seen.right, y, edge);
    if (hollow)
        return;
    part = cover_of(edge->cover(beyond_y(r, y) - r->radius, edge->extent));
    put_span(
        row, first, last,
        (struct canvas_ink){edge->ink.pixel, part_of(edge->ink.alpha, part)});
}

static void put_edges(struct canvas *canvas, struct box box,
                      const struct canvas_edge *edge)
{
    struct box seen = box_meet(box, canvas->clip);

    for (int y = seen.top; y < seen.bottom; y++)
        put_edge_row(row_at(canvas, y), seen, y, edge);
}

static float clamp(float part)
{
    return part < 0 ? 0 : part > 1 ? 1 : part;
}

static float ring_cover(float distance, float width)
{
    return clamp(0.5F - distance) - clamp(0.5F - distance - width);
}

void canvas_ring(struct canvas *canvas, struct box box, float radius,
                 float width, uint32_t color)
{
    const struct canvas_edge edge = {rounding_of(box, radius), ink_of(color),
                                     ring_cover, width, width + 0.5F};

    put_edges(canvas, box, &edge);
}

static float shadow_cover(float distance, float blur)
{
    float left = 1 - clamp(distance / blur);

    return left * left;
}

void canvas_shadow(struct canvas *canvas, struct box box, float radius,
                   struct canvas_shadow shadow, uint32_t color)
{
    struct box below = {box.left, box.top + shadow.drop, box.right,
                        box.bottom + shadow.drop};
    const struct canvas_edge edge = {rounding_of(below, radius), ink_of(color),
                                     shadow_cover, shadow.blur,
                                     (float)shadow.drop + 1};

    put_edges(canvas, box_inset(below, -(int)ceilf(shadow.blur)), &edge);
}

/* ---- lines ---- */

static float distance_to_line(const struct canvas_line *line, float x, float y)
{
    float dx = line->x1 - line->x0;
    float dy = line->y1 - line->y0;
    float length = dx * dx + dy * dy;
    float along =
        length > 0 ? ((x - line->x0) * dx + (y - line->y0) * dy) / length : 0;

    along = fminf(fmaxf(along, 0), 1);
    return hypotf(x - line->x0 - along * dx, y - line->y0 - along * dy);
}

void canvas_line(struct canvas *canvas, struct canvas_line line, uint32_t color)
{
    struct canvas_ink ink = ink_of(color);
    float reach = line.width / 2 + 1;
    struct box box = {
        (int)floorf(fminf(line.x0, line.x1) - reach),
        (int)floorf(fminf(line.y0, line.y1) - reach),
        (int)ceilf(fmaxf(line.x0, line.x1) + reach),
        (int)ceilf(fmaxf(line.y0, line.y1) + reach),
    };

    box = box_meet(box, canvas->clip);
    for (int y = box.top; y < box.bottom; y++) {
        uint32_t *row = row_at(canvas, y);

        for (int x = box.left; x < box.right; x++) {
            float away =
                distance_to_line(&line, (float)x + 0.5F, (float)y + 0.5F);

            put(&row[x], ink, cover_of(line.width / 2 + 0.5F - away));
        }
    }
}

/* ---- masks and pictures ---- */

/* The number of equal cover values from here on. */
static int run_of(const uint8_t *covers, int count)
{
    const uint64_t all = covers[0] * UINT64_C(0x0101010101010101);
    uint64_t eight = all;
    int run = 0;

    while (run + (int)sizeof(eight) <= count && eight == all) {
        memcpy(&eight, covers + run, sizeof(eight));
        run += eight == all ? (int)sizeof(eight) : 0;
    }
    while (run < count && covers[run] == covers[0])
        run++;
    return run;
}

void canvas_mask(struct canvas *canvas, struct box box, const uint8_t *mask,
                 uint32_t color)
{
    struct canvas_ink ink = ink_of(color);
    struct box seen = box_meet(box, canvas->clip);
    size_t stride = (size_t)box_width(box);

    for (int y = seen.top; y < seen.bottom; y++) {
        uint32_t *row = row_at(canvas, y);
        const uint8_t *covers = mask + (size_t)(y - box.top) * stride;

        for (int x = seen.left, run; x < seen.right; x += run) {
            unsigned cover = covers[x - box.left];

            run = cover == 0 || cover == OPAQUE
                      ? run_of(covers + x - box.left, seen.right - x)
                      : 1;
            if (cover == OPAQUE)
                put_span(row, x, x + run, ink);
            else if (cover)
                put(&row[x], ink, cover);
        }
    }
}

void canvas_stamp(struct canvas *canvas, struct box box, const uint8_t *pixels)
{
    struct box seen = box_meet(box, canvas->clip);
    size_t stride = (size_t)box_width(box) * PICTURE_PIXEL;

    for (int y = seen.top; y < seen.bottom; y++) {
        uint8_t *to = (uint8_t *)(row_at(canvas, y) + seen.left);
        const uint8_t *from = pixels + (size_t)(y - box.top) * stride +
                              (size_t)(seen.left - box.left) * PICTURE_PIXEL;

        for (int x = seen.left; x < seen.right; x++) {
            for (int i = 0; i < 3; i++)
                to[i] = (uint8_t)(from[i] + part_of(to[i], OPAQUE - from[3]));
            to += PICTURE_PIXEL;
            from += PICTURE_PIXEL;
        }
    }
}

/*
 * The position of a pixel's center in a picture of another size: 24.8 fixed
 * point.
 */
static int scaled(int at, int size, uint32_t of)
{
    int64_t twice = (2 * (int64_t)at + 1) * of * 256 / size;

    return between((int)(twice / 2) - 128, 0, (int)(of - 1) * 256);
}

static uint32_t pixel_in(const struct picture *picture, int x, int y)
{
    uint32_t pixel;

    x = between(x, 0, (int)picture->width - 1);
    y = between(y, 0, (int)picture->height - 1);
    memcpy(&pixel, picture_row(picture, (uint32_t)y) + x * PICTURE_PIXEL,
           sizeof(pixel));
    return pixel;
}

void canvas_picture(struct canvas *canvas, struct box box,
                    const struct picture *picture)
{
    struct box seen = box_meet(box, canvas->clip);

    for (int y = seen.top; y < seen.bottom; y++) {
        uint32_t *row = row_at(canvas, y);
        int v = scaled(y - box.top, box_height(box), picture->height);

        for (int x = seen.left; x < seen.right; x++) {
            int u = scaled(x - box.left, box_width(box), picture->width);
            uint32_t above = mix(pixel_in(picture, u >> 8, v >> 8),
                                 pixel_in(picture, (u >> 8) + 1, v >> 8),
                                 (uint32_t)u & 0xff);
            uint32_t below = mix(pixel_in(picture, u >> 8, (v >> 8) + 1),
                                 pixel_in(picture, (u >> 8) + 1, (v >> 8) + 1),
                                 (uint32_t)u & 0xff);
            uint32_t pixel = mix(above, below, (uint32_t)v & 0xff);
            uint8_t bytes[PICTURE_PIXEL];
            unsigned alpha;

            memcpy(bytes, &pixel, sizeof(bytes));
            alpha = bytes[3];
            bytes[3] = OPAQUE;
            memcpy(&pixel, bytes, sizeof(bytes));
            put(&row[x], (struct canvas_ink){pixel, alpha}, OPAQUE);
        }
    }
}
