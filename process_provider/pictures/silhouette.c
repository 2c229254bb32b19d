#include "process_provider/pictures/silhouette.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/mem.h"

/* Parts of the screen's width. */
#define REACH_PART 9     /* how far around the finger one looks */
#define REACH_MIN 48     /* pixels, on however small a screen */
#define TOUCH_PART 36    /* how far from the finger a shape may begin */
#define SMALLEST_PART 60 /* smaller shapes are letters or specks */

#define COLOURS 5        /* that are distinguished around a point */
#define COLOUR_GAP 24    /* by which they differ, of 255 */
#define COLOUR_SHARE 100 /* of this many pixels, a colour has one at least */
#define LEVELS 16        /* of each channel, to count colours in */
#define BINS (LEVELS * LEVELS * LEVELS)

#define PARTS_MAX 256 /* more are a photograph */
#define PART_PIXELS 6 /* fewer are noise */
#define STARTS 3      /* parts under the finger that a shape is grown from */

/* With less ink in it than that, a shape is drawn by its outline. */
#define OUTLINE_SHARE 0.7F

/* A shape that is wider or narrower by as much is another one. */
#define PROPORTION_GAP 0.16F

/* ---- one shape ---- */

#define SAMPLES 4 /* per cell and direction */

/* The share of ink in each cell, with the longer side filling the square. */
static void sample(const uint8_t *mask, int width, struct box box, float *cells)
{
    int wide = box_width(box);
    int high = box_height(box);
    float pixels = (float)(wide > high ? wide : high) / SILHOUETTE_SIDE;
    float left = ((float)wide - pixels * SILHOUETTE_SIDE) / 2;
    float top = ((float)high - pixels * SILHOUETTE_SIDE) / 2;

    for (int i = 0; i < SILHOUETTE_CELLS * SAMPLES * SAMPLES; i++) {
        int row = i / (SILHOUETTE_SIDE * SAMPLES);
        int column = i % (SILHOUETTE_SIDE * SAMPLES);
        float x = left + ((float)column + 0.5F) * pixels / SAMPLES;
        float y = top + ((float)row + 0.5F) * pixels / SAMPLES;

        if (x < 0 || y < 0 || x >= (float)wide || y >= (float)high ||
            !mask[(box.top + (int)y) * width + box.left + (int)x])
            continue;
        cells[row / SAMPLES * SILHOUETTE_SIDE + column / SAMPLES] += 1;
    }
}

/* Cells with more ink than this separate inside from outside. */
#define WALL (0.25F * SAMPLES * SAMPLES)

/* Fill all that cannot be reached from the rim. */
static void fill(float *cells)
{
    bool outside[SILHOUETTE_CELLS] = {false};
    bool grown = true;

    while (grown) {
        grown = false;
        for (int i = 0; i < SILHOUETTE_CELLS; i++) {
            int x = i % SILHOUETTE_SIDE;
            int y = i / SILHOUETTE_SIDE;

            if (outside[i] || cells[i] > WALL)
                continue;
            if (!x || !y || x + 1 == SILHOUETTE_SIDE ||
                y + 1 == SILHOUETTE_SIDE || outside[i - 1] || outside[i + 1] ||
                outside[i - SILHOUETTE_SIDE] || outside[i + SILHOUETTE_SIDE])
                outside[i] = grown = true;
        }
    }
    for (int i = 0; i < SILHOUETTE_CELLS; i++) {
        if (!outside[i])
            cells[i] = SAMPLES * SAMPLES;
    }
}

/* Edges that are off by a part of a cell should still meet. */
static void soften(float *cells, int step, int line)
{
    for (int i = 0; i < SILHOUETTE_SIDE; i++) {
        float *first = cells + (ptrdiff_t)i * line;
        float before = 0;

        for (int j = 0; j < SILHOUETTE_SIDE; j++) {
            float *cell = first + (ptrdiff_t)j * step;
            float after = j + 1 < SILHOUETTE_SIDE ? cell[step] : 0;
            float here = *cell;

            *cell = (before + 2 * here + after) / 4;
            before = here;
        }
    }
}

static float sum(const float *cells)
{
    float all = 0;

    for (int i = 0; i < SILHOUETTE_CELLS; i++)
        all += cells[i];
    return all;
}

static void normalise(float *cells)
{
    float mean = sum(cells) / SILHOUETTE_CELLS;
    float length = 0;

    for (int i = 0; i < SILHOUETTE_CELLS; i++) {
        cells[i] -= mean;
        length += cells[i] * cells[i];
    }
    length = sqrtf(length);
    for (int i = 0; length > 0 && i < SILHOUETTE_CELLS; i++)
        cells[i] /= length;
}

void silhouette_make(const uint8_t *mask, int width, struct box box,
                     struct silhouette *silhouette)
{
    float *drawn = silhouette->cells[SILHOUETTE_DRAWN];
    float *solid = silhouette->cells[SILHOUETTE_SOLID];

    *silhouette = (struct silhouette){.box = box};
    sample(mask, width, box, drawn);
    memcpy(solid, drawn, SILHOUETTE_CELLS * sizeof(*drawn));
    fill(solid);
    silhouette->outlined = sum(drawn) < OUTLINE_SHARE * sum(solid);
    for (int i = 0; i < SILHOUETTE_FORMS; i++) {
        soften(silhouette->cells[i], 1, SILHOUETTE_SIDE);
        soften(silhouette->cells[i], SILHOUETTE_SIDE, 1);
        normalise(silhouette->cells[i]);
    }
}

static float proportion(struct box box)
{
    return logf((float)box_width(box) / (float)box_height(box));
}

float silhouette_likeness(const struct silhouette *a,
                          const struct silhouette *b, enum silhouette_form form)
{
    float product = 0;

    if (fabsf(proportion(a->box) - proportion(b->box)) > PROPORTION_GAP)
        return 0;
    for (int i = 0; i < SILHOUETTE_CELLS; i++)
        product += a->cells[form][i] * b->cells[form][i];
    return product;
}

/* ---- what is around a finger ---- */

struct colour {
    int channels[3];
};

/* A stretch of ink in one piece. */
struct ink_part {
    struct box box;
    int pixels;
};

struct surroundings {
    const struct picture *picture;
    struct box box; /* of the picture */
    int width;
    int height;
    int x; /* the finger, within the box */
    int y;
    struct colour colours[COLOURS];
    size_t colour_count;
    uint16_t *part_of; /* each pixel's part, counted from 1; 0: ground */
    uint8_t *mask;     /* the shape that is being cut out */
    int *stack;        /* of pixels to be looked at */
    struct ink_part parts[PARTS_MAX];
    size_t part_count;
};

/* How large a shape around a finger may be, in pixels from it. */
static int reach_of(const struct picture *picture)
{
    int reach = (int)picture->width / REACH_PART;

    return reach > REACH_MIN ? reach : REACH_MIN;
}

static const uint8_t *pixel_at(const struct surroundings *around, int x, int y)
{
    return picture_row(around->picture, (uint32_t)(around->box.top + y)) +
           (size_t)(around->box.left + x) * PICTURE_PIXEL;
}

static void surroundings_init(struct surroundings *around,
                              const struct picture *picture, int x, int y)
{
    int reach = reach_of(picture);
    const struct box whole = {0, 0, (int)picture->width, (int)picture->height};
    size_t pixels;

    *around = (struct surroundings){.picture = picture};
    around->box = box_meet(
        whole, (struct box){x - reach, y - reach, x + reach, y + reach});
    around->width = box_width(around->box);
    around->height = box_height(around->box);
    around->x = x - around->box.left;
    around->y = y - around->box.top;
    pixels = (size_t)around->width * (size_t)around->height;
    around->part_of = mem_new(pixels, sizeof(*around->part_of));
    around->mask = mem_new(pixels, sizeof(*around->mask));
    around->stack = mem_new(pixels, sizeof(*around->stack));
}

static void surroundings_release(struct surroundings *around)
{
    free(around->part_of);
    free(around->mask);
    free(around->stack);
}

/* ---- its colours ---- */

struct bin {
    int pixels;
    int sums[3];
};

static int level(uint8_t channel)
{
    return channel * LEVELS / 256;
}

static void count_colours(const struct surroundings *around, struct bin *bins)
{
    int near = reach_of(around->picture) * 2 / 5;
    const struct box all = {0, 0, around->width, around->height};
    struct box box =
        box_meet(all, (struct box){around->x - near, around->y - near,
                                   around->x + near, around->y + near});

    for (int y = box.top; y < box.bottom; y++) {
        for (int x = box.left; x < box.right; x++) {
            const uint8_t *pixel = pixel_at(around, x, y);
            struct bin *bin =
                &bins[(level(pixel[0]) * LEVELS + level(pixel[1])) * LEVELS +
                      level(pixel[2])];

            bin->pixels++;
            for (int i = 0; i < 3; i++)
                bin->sums[i] += pixel[i];
        }
    }
}

static int most_common(const struct bin *bins)
{
    int best = 0;

    for (int i = 1; i < BINS; i++) {
        if (bins[i].pixels > bins[best].pixels)
            best = i;
    }
    return best;
}

static bool is_new_colour(const struct surroundings *around,
                          const struct colour *colour)
{
    for (size_t i = 0; i < around->colour_count; i++) {
        const struct colour *other = &around->colours[i];
        int gap = 0;

        for (int j = 0; j < 3; j++) {
            int apart = abs(colour->channels[j] - other->channels[j]);

            gap = apart > gap ? apart : gap;
        }
        if (gap < COLOUR_GAP)
            return false;
    }
    return true;
}

/* Those that many pixels near the finger have, the most common first. */
static void find_colours(struct surroundings *around)
{
    struct bin *bins = mem_new(BINS, sizeof(*bins));
    int near = reach_of(around->picture) * 4 / 5;
    int least = near * near / COLOUR_SHARE;

    count_colours(around, bins);
    while (around->colour_count < COLOURS) {
        struct bin *bin = &bins[most_common(bins)];
        struct colour colour;

        if (bin->pixels < least)
            break;
        for (int i = 0; i < 3; i++)
            colour.channels[i] = bin->sums[i] / bin->pixels;
        if (is_new_colour(around, &colour))
            around->colours[around->colour_count++] = colour;
        bin->pixels = 0;
    }
    free(bins);
}

/* ---- its parts ---- */

static int distance(const uint8_t *pixel, const struct colour *colour)
{
    return abs(pixel[0] - colour->channels[0]) +
           abs(pixel[1] - colour->channels[1]) +
           abs(pixel[2] - colour->channels[2]);
}

#define UNSEEN UINT16_MAX

/*
 * A pixel is ink if it is closer to the colour of the ink than to that of the
 * background.
 */
static void find_ink(struct surroundings *around, const struct colour *ink,
                     const struct colour *ground)
{
    uint16_t *to = around->part_of;

    for (int y = 0; y < around->height; y++) {
        const uint8_t *pixel = pixel_at(around, 0, y);

        for (int x = 0; x < around->width; x++, pixel += PICTURE_PIXEL)
            *to++ = distance(pixel, ink) < distance(pixel, ground) ? UNSEEN : 0;
    }
}

/* All that hangs together with the pixel at first, corners included. */
static struct ink_part take_part(struct surroundings *around, int first,
                                 uint16_t number)
{
    struct ink_part part = {{around->width, around->height, 0, 0}, 0};
    size_t waiting = 0;

    around->part_of[first] = number;
    around->stack[waiting++] = first;
    while (waiting) {
        int at = around->stack[--waiting];
        int x = at % around->width;
        int y = at / around->width;

        part.box = box_join(part.box, (struct box){x, y, x + 1, y + 1});
        part.pixels++;
        for (int i = 0; i < 9; i++) {
            int beside = x + i % 3 - 1;
            int below = y + i / 3 - 1;
            int next = below * around->width + beside;

            if (beside < 0 || below < 0 || beside >= around->width ||
                below >= around->height || around->part_of[next] != UNSEEN)
                continue;
            around->part_of[next] = number;
            around->stack[waiting++] = next;
        }
    }
    return part;
}

/*
 * A shape that reaches the edge continues outside, and is not around the
 * finger.
 */
static bool is_whole(const struct surroundings *around,
                     const struct ink_part *part)
{
    return part->pixels >= PART_PIXELS && part->box.left > 0 &&
           part->box.top > 0 && part->box.right < around->width &&
           part->box.bottom < around->height;
}

/* Returns false when there are too many for anything that was designed. */
static bool find_parts(struct surroundings *around)
{
    int pixels = around->width * around->height;

    around->part_count = 0;
    for (int i = 0; i < pixels; i++) {
        struct ink_part part;

        if (around->part_of[i] != UNSEEN)
            continue;
        if (around->part_count == PARTS_MAX)
            return false;
        part = take_part(around, i, (uint16_t)(around->part_count + 1));
        /* Empty ones keep their numbers, and join nothing. */
        if (!is_whole(around, &part))
            part.box = (struct box){0, 0, 0, 0};
        around->parts[around->part_count++] = part;
    }
    return true;
}

/* ---- its shapes ---- */

/* Pixels from one box to the other, the longer way of both directions. */
static int gap_between(struct box a, struct box b)
{
    struct box both = box_meet(a, b);
    int across = both.left - both.right;
    int along = both.top - both.bottom;
    int gap = across > along ? across : along;

    return gap > 0 ? gap : 0;
}

/* The parts next to the finger, nearest first. */
static size_t find_starts(const struct surroundings *around,
                          size_t starts[STARTS])
{
    const struct box finger = {around->x, around->y, around->x + 1,
                               around->y + 1};
    int limit = (int)around->picture->width / TOUCH_PART;
    bool taken[PARTS_MAX] = {false};
    size_t count = 0;

    while (count < STARTS) {
        size_t best = PARTS_MAX;
        int best_gap = limit;

        for (size_t i = 0; i < around->part_count; i++) {
            int gap = gap_between(around->parts[i].box, finger);

            if (taken[i] || box_is_empty(around->parts[i].box) ||
                gap > best_gap || (gap == best_gap && best < PARTS_MAX))
                continue;
            best = i;
            best_gap = gap;
        }
        if (best == PARTS_MAX)
            break;
        taken[best] = true;
        starts[count++] = best;
    }
    return count;
}

/* Join to a part all parts within gap of those that are joined. */
static struct box grow(const struct surroundings *around, size_t start, int gap,
                       bool joined[PARTS_MAX])
{
    struct box box = around->parts[start].box;
    bool grown = true;

    memset(joined, 0, PARTS_MAX * sizeof(*joined));
    joined[start] = true;
    while (grown) {
        grown = false;
        for (size_t i = 0; i < around->part_count; i++) {
            struct box other = around->parts[i].box;

            if (joined[i] || box_is_empty(other) ||
                gap_between(box, other) > gap)
                continue;
            box = box_join(box, other);
            joined[i] = grown = true;
        }
    }
    return box;
}

static void cut_out(struct surroundings *around, struct box box,
                    const bool joined[PARTS_MAX], struct silhouette *shape)
{
    for (int y = box.top; y < box.bottom; y++) {
        for (int x = box.left; x < box.right; x++) {
            int at = y * around->width + x;
            uint16_t part = around->part_of[at];

            around->mask[at] = part && joined[part - 1];
        }
    }
    silhouette_make(around->mask, around->width, box, shape);
    shape->box = (struct box){
        around->box.left + box.left, around->box.top + box.top,
        around->box.left + box.right, around->box.top + box.bottom};
}

static bool is_icon_sized(const struct surroundings *around, struct box box)
{
    int longer =
        box_width(box) > box_height(box) ? box_width(box) : box_height(box);

    return longer >= (int)around->picture->width / SMALLEST_PART;
}

/* One icon may be of several parts, closer to each other or less so. */
static size_t find_shapes(struct surroundings *around, struct silhouette *found,
                          size_t max)
{
    int reach = reach_of(around->picture);
    const int gaps[] = {1, reach / 30, reach / 15, reach / 8};
    size_t starts[STARTS];
    size_t start_count = find_starts(around, starts);
    size_t count = 0;

    for (size_t i = 0; i < start_count; i++) {
        struct box last = {0, 0, 0, 0};

        for (size_t j = 0; j < ARRAY_LEN(gaps) && count < max; j++) {
            bool joined[PARTS_MAX];
            struct box box = grow(around, starts[i], gaps[j], joined);

            if (!memcmp(&box, &last, sizeof(box)) ||
                !is_icon_sized(around, box))
                continue;
            last = box;
            cut_out(around, box, joined, &found[count++]);
        }
    }
    return count;
}

size_t silhouette_find(const struct picture *picture, int x, int y,
                       struct silhouette *found, size_t max)
{
    struct surroundings around;
    size_t count = 0;

    if (x < 0 || y < 0 || x >= (int)picture->width || y >= (int)picture->height)
        return 0;
    surroundings_init(&around, picture, x, y);
    find_colours(&around);
    for (size_t ink = 0; ink < around.colour_count; ink++) {
        for (size_t ground = 0; ground < around.colour_count; ground++) {
            if (ink == ground)
                continue;
            find_ink(&around, &around.colours[ink], &around.colours[ground]);
            if (!find_parts(&around))
                continue;
            for (size_t end =
                     count + find_shapes(&around, found + count, max - count);
                 count < end; count++)
                found[count].ink = (unsigned)ink;
        }
    }
    surroundings_release(&around);
    return count;
}
