#include "runner/observe/tile_hashes.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/*
 * Size of a caret in tiles: narrow, and as high as a line of text, but higher
 * than a digit in a badge.
 */
#define CARET_COLUMNS 2
#define CARET_PART_MIN 60 /* of the screen's longer side */
#define CARET_PART_MAX 17

/* The part of a screen that a protected window leaves black. */
#define HEAD_PART 16
#define FOOT_PART 12

#define MIX UINT64_C(0x9e3779b97f4a7c15)
#define COLOURS UINT32_C(0x00ffffff) /* without alpha */

#define TILE_ROW ((size_t)TILE_SIDE * PICTURE_PIXEL) /* bytes */

void tile_hashes_release(struct tile_hashes *tiles)
{
    free(tiles->hashes);
    *tiles = (struct tile_hashes)TILE_HASHES_INIT;
}

static uint32_t across(const struct tile_hashes *tiles)
{
    return (tiles->width + TILE_SIDE - 1) / TILE_SIDE;
}

static uint32_t down(const struct tile_hashes *tiles)
{
    return (tiles->height + TILE_SIDE - 1) / TILE_SIDE;
}

/* Half a row of a tile: the width of most vector units. */
typedef uint32_t pixels __attribute__((vector_size(TILE_ROW / 2)));

static inline pixels add_pixels(pixels sums, const uint8_t *at)
{
    pixels values;

    memcpy(&values, at, sizeof(values));
    return (sums << 9 | sums >> 23) + values;
}

/* Each column has its own sum; they are combined at the end. */
static inline uint32_t hash_tile(const uint8_t *at, size_t stride,
                                 uint32_t rows)
{
    pixels left = {0}, right = {0};
    uint64_t parts[4];
    uint64_t sum;

    for (uint32_t y = 0; y < rows; y++, at += stride) {
        left = add_pixels(left, at);
        right = add_pixels(right, at + sizeof(pixels));
    }
    memcpy(parts, &left, sizeof(left));
    memcpy(parts + 2, &right, sizeof(right));
    sum = parts[0] * MIX + parts[1];
    for (size_t i = 2; i < 4; i++)
        sum = (sum ^ sum >> 32) * MIX + parts[i];
    return (uint32_t)((sum ^ sum >> 32) * MIX >> 32);
}

/* At the right edge, padded with black. */
static uint32_t hash_part(const uint8_t *at, size_t stride, uint32_t rows,
                          size_t columns)
{
    uint8_t tile[TILE_SIDE * TILE_ROW];

    for (size_t i = 0; i < sizeof(tile); i += PICTURE_PIXEL)
        memcpy(tile + i, "\0\0\0\xff", PICTURE_PIXEL);
    for (uint32_t y = 0; y < rows; y++)
        memcpy(tile + y * TILE_ROW, at + y * stride, columns * PICTURE_PIXEL);
    return hash_tile(tile, TILE_ROW, rows);
}

static void take_row(const struct picture *picture, uint32_t top,
                     uint32_t *hashes)
{
    const uint8_t *at = picture_row(picture, top);
    uint32_t left = picture->height - top;
    uint32_t rows = left < TILE_SIDE ? left : TILE_SIDE;
    uint32_t whole = picture->width / TILE_SIDE;
    uint32_t rest = picture->width % TILE_SIDE;

    for (uint32_t i = 0; i < whole; i++, at += TILE_ROW)
        hashes[i] = hash_tile(at, picture->stride, rows);
    if (rest)
        hashes[whole] = hash_part(at, picture->stride, rows, rest);
}

static void make_room(struct tile_hashes *tiles, uint32_t width,
                      uint32_t height)
{
    size_t needed;

    tiles->width = width;
    tiles->height = height;
    needed = (size_t)across(tiles) * down(tiles);
    if (needed <= tiles->capacity)
        return;
    tiles->hashes = mem_resize(tiles->hashes, needed, sizeof(*tiles->hashes));
    tiles->capacity = needed;
}

static bool is_black(const struct picture *picture, uint32_t top,
                     uint32_t bottom)
{
    for (uint32_t y = top; y < bottom && y < picture->height; y++) {
        const uint8_t *at = picture_row(picture, y);
        uint32_t any = 0;

        for (uint32_t x = 0; x < picture->width; x++) {
            uint32_t pixel;

            memcpy(&pixel, at + (size_t)x * PICTURE_PIXEL, sizeof(pixel));
            any |= pixel;
        }
        if (any & COLOURS)
            return false;
    }
    return true;
}

void tile_hashes_compute(struct tile_hashes *tiles,
                         const struct picture *picture)
{
    uint32_t columns, rows;

    make_room(tiles, picture->width, picture->height);
    columns = across(tiles);
    rows = down(tiles);
    for (uint32_t y = 0; y < rows; y++)
        take_row(picture, y * TILE_SIDE, tiles->hashes + (size_t)y * columns);
    tiles->black = is_black(picture, (rows / HEAD_PART + 1) * TILE_SIDE,
                            (rows - rows / FOOT_PART) * TILE_SIDE);
}

void tile_hashes_swap(struct tile_hashes *a, struct tile_hashes *b)
{
    struct tile_hashes kept = *a;

    *a = *b;
    *b = kept;
}

void tile_hashes_copy(struct tile_hashes *to, const struct tile_hashes *from)
{
    size_t count = (size_t)across(from) * down(from);

    make_room(to, from->width, from->height);
    if (count)
        memcpy(to->hashes, from->hashes, count * sizeof(*from->hashes));
    to->black = from->black;
}

bool tile_hashes_equal(const struct tile_hashes *a, const struct tile_hashes *b)
{
    size_t count = (size_t)across(a) * down(a);

    return a->width == b->width && a->height == b->height && count &&
           !memcmp(a->hashes, b->hashes, count * sizeof(*a->hashes));
}

/* Where tiles differ: the first and last column and row. */
struct tile_change {
    uint32_t left, right, top, bottom;
    uint32_t rows; /* that differ */
    bool any;
};

/* The mask's box in tiles: those that it touches. */
struct hidden {
    uint32_t left, right, top, bottom; /* right and bottom are outside */
};

static uint32_t tile_of(int pixel)
{
    return pixel > 0 ? (uint32_t)pixel / TILE_SIDE : 0;
}

static struct hidden hidden_by(const struct tile_hash_mask *mask)
{
    if (box_is_empty(mask->box))
        return (struct hidden){0};
    return (struct hidden){
        tile_of(mask->box.left),
        tile_of(mask->box.right + TILE_SIDE - 1),
        tile_of(mask->box.top),
        tile_of(mask->box.bottom + TILE_SIDE - 1),
    };
}

static bool hides(const struct hidden *hidden, uint32_t x, uint32_t y)
{
    return x >= hidden->left && x < hidden->right && y >= hidden->top &&
           y < hidden->bottom;
}

static uint32_t first_row(const struct tile_hash_mask *mask)
{
    return (mask->top + TILE_SIDE - 1) / TILE_SIDE;
}

static void add_tile(struct tile_change *change, uint32_t x, uint32_t y)
{
    change->rows += !change->any || change->bottom != y;
    change->left = !change->any || x < change->left ? x : change->left;
    change->right = !change->any || x > change->right ? x : change->right;
    change->top = change->any ? change->top : y;
    change->bottom = y;
    change->any = true;
}

static void add_row(struct tile_change *change, const struct hidden *hidden,
                    const uint32_t *a, const uint32_t *b, uint32_t columns,
                    uint32_t y)
{
    if (!memcmp(a, b, columns * sizeof(*a)))
        return;
    for (uint32_t x = 0; x < columns; x++) {
        if (a[x] != b[x] && !hides(hidden, x, y))
            add_tile(change, x, y);
    }
}

static bool is_caret(const struct tile_change *change, uint32_t longer)
{
    uint32_t width = change->right - change->left + 1;
    uint32_t height = change->bottom - change->top + 1;

    return width <= CARET_COLUMNS && height >= longer / CARET_PART_MIN &&
           height <= longer / CARET_PART_MAX && change->rows == height;
}

static struct box pixels_of(const struct tile_change *change)
{
    return (struct box){(int)change->left * TILE_SIDE,
                        (int)change->top * TILE_SIDE,
                        (int)(change->right + 1) * TILE_SIDE,
                        (int)(change->bottom + 1) * TILE_SIDE};
}

bool tile_hashes_differ(const struct tile_hashes *a,
                        const struct tile_hashes *b,
                        const struct tile_hash_mask *mask, struct box *where)
{
    uint32_t columns = across(a);
    uint32_t rows = down(a);
    uint32_t longer = columns > rows ? columns : rows;
    struct hidden hidden = hidden_by(mask);
    struct tile_change change = {.any = false};

    if (a->width != b->width || a->height != b->height || !a->width) {
        if (where)
            *where = (struct box){0, 0, (int)b->width, (int)b->height};
        return true;
    }
    for (uint32_t y = first_row(mask); y < rows; y++)
        add_row(&change, &hidden, a->hashes + (size_t)y * columns,
                b->hashes + (size_t)y * columns, columns, y);
    if (!change.any || is_caret(&change, longer))
        return false;
    if (where)
        *where = pixels_of(&change);
    return true;
}

uint64_t tile_hashes_digest(const struct tile_hashes *tiles,
                            const struct tile_hash_mask *mask)
{
    uint64_t sum = ((uint64_t)tiles->width << 32 | tiles->height) * MIX;
    struct hidden hidden = hidden_by(mask);
    uint32_t columns = across(tiles);

    for (uint32_t y = first_row(mask); y < down(tiles); y++) {
        const uint32_t *hashes = tiles->hashes + (size_t)y * columns;

        for (uint32_t x = 0; x < columns; x++) {
            sum = (sum ^ (hides(&hidden, x, y) ? 0 : hashes[x])) * MIX;
            sum ^= sum >> 31;
        }
    }
    return sum;
}
