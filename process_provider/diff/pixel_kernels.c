#include "process_provider/diff/pixel_kernels.h"

#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/picture/luma.h"
#include "base/picture/picture.h"
#include "process_provider/diff/pixel_tile.h"

/* ---- changes ---- */

/* The pixels whose bits are set changed in the tile's row y. */
ALWAYS_INLINE void tile_note(struct tile *tile, uint32_t bits, int y)
{
    tile->columns = (uint16_t)(tile->columns | bits);
    tile->rows = (uint16_t)(tile->rows | 1U << y);
}

/* A part of a tile's row, at the edge of an area. */
static void compare_part(const struct row_pair *pair, int x, int count,
                         struct tile *tile, struct row_sums *sums)
{
    const uint8_t *a = pair->a + (size_t)x * PICTURE_PIXEL;
    const uint8_t *b = pair->b + (size_t)x * PICTURE_PIXEL;
    uint32_t bits = pair->tolerance ? part_beyond(a, b, count, pair->tolerance)
                                    : part_differing(a, b, count);

    if (pair->squares)
        sums->squares += part_squares(a, b, count);
    sums->pixels += (uint64_t)__builtin_popcount(bits);
    if (bits)
        tile_note(tile, bits << x % TILE, pair->y);
}

/* From pixel x, where a tile begins, as many whole ones as there are. */
ALWAYS_INLINE int compare_tiles(const struct row_pair *pair, int x,
                                struct tile *tiles, struct row_sums *sums)
{
    const uint8_t *a = pair->a + (size_t)x * PICTURE_PIXEL;
    const uint8_t *b = pair->b + (size_t)x * PICTURE_PIXEL;
    tile_sums squares = tile_no_sums();
    uint32_t pixels = 0;

    for (; x + TILE <= pair->right; x += TILE) {
        uint32_t bits = tile_differing(a, b);

        if (bits && pair->squares)
            squares = tile_add_squares(squares, a, b);
        if (bits && pair->tolerance)
            bits = tile_beyond(a, b, pair->tolerance);
        if (bits) {
            pixels += (uint32_t)__builtin_popcount(bits);
            tile_note(&tiles[x / TILE], bits, pair->y);
        }
        a += (size_t)TILE * PICTURE_PIXEL;
        b += (size_t)TILE * PICTURE_PIXEL;
    }
    sums->pixels += pixels;
    sums->squares += tile_total(squares);
    return x;
}

static void compare_row(const struct row_pair *pair, struct tile *tiles,
                        struct row_sums *sums)
{
    int x = pair->left;
    int before = (TILE - x % TILE) % TILE;

    if (before > pair->right - x)
        before = pair->right - x;
    if (before)
        compare_part(pair, x, before, &tiles[x / TILE], sums);
    x = compare_tiles(pair, x + before, tiles, sums);
    if (x < pair->right)
        compare_part(pair, x, pair->right - x, &tiles[x / TILE], sums);
}

/* ---- likeness ---- */

typedef float floats __attribute__((vector_size(SSIM_LANES * sizeof(float))));

ALWAYS_INLINE floats load(const float *from)
{
    floats value;

    memcpy(&value, from, sizeof(value));
    return value;
}

ALWAYS_INLINE void store(float *to, floats value)
{
    memcpy(to, &value, sizeof(value));
}

static void luma_row(const uint8_t *pixels, int count, float *to)
{
    int x = 0;

    for (; x + TILE <= count; x += TILE)
        tile_luma(pixels + (size_t)x * PICTURE_PIXEL, to + x);
    part_luma(pixels + (size_t)x * PICTURE_PIXEL, count - x, to + x);
}

static void fill_products(const struct ssim_row *row, int count)
{
    for (int x = 0; x < count; x += SSIM_LANES) {
        floats a = load(row->planes[SSIM_A] + x);
        floats b = load(row->planes[SSIM_B] + x);

        store(row->planes[SSIM_SQUARES] + x, a * a + b * b);
        store(row->planes[SSIM_PRODUCT] + x, a * b);
    }
}

/* The weights, where no store can touch them. */
struct weights {
    floats of[SSIM_REACH + 1];
};

ALWAYS_INLINE struct weights weights_of(const float *weights)
{
    struct weights all;

    for (int k = 0; k <= SSIM_REACH; k++)
        all.of[k] = (floats){0} + weights[k];
    return all;
}

static void average_across(const float *from, const float *given, int count,
                           float *to)
{
    const struct weights weights = weights_of(given);

    for (int x = 0; x < count; x += SSIM_LANES) {
        const float *middle = from + x + SSIM_REACH;
        floats sum = load(middle) * weights.of[0];

        for (int k = 1; k <= SSIM_REACH; k++)
            sum += (load(middle - k) + load(middle + k)) * weights.of[k];
        store(to + x, sum);
    }
}

static void ssim_across(const struct ssim_row *from, const float *weights,
                        int count, const struct ssim_row *to)
{
    fill_products(from, count + 2 * SSIM_LANES);
    for (int i = 0; i < SSIM_PLANES; i++)
        average_across(from->planes[i], weights, count, to->planes[i]);
}

/* The same plane of all rows that two windows reach, one below the other. */
struct ssim_column {
    const float *rows[SSIM_SIDE + 1];
};

ALWAYS_INLINE struct ssim_column column_of(const struct ssim_row *const *rows,
                                           enum ssim_plane plane)
{
    struct ssim_column column;

    for (int k = 0; k <= SSIM_SIDE; k++)
        column.rows[k] = rows[k]->planes[plane];
    return column;
}

/* Two windows at once share most of their input. */
struct averages {
    floats upper;
    floats lower;
};

ALWAYS_INLINE struct averages average_down(const struct ssim_column *column,
                                           const struct weights *weights, int x)
{
    floats rows[SSIM_SIDE + 1];
    struct averages sums;

    for (int k = 0; k <= SSIM_SIDE; k++)
        rows[k] = load(column->rows[k] + x);
    sums.upper = rows[SSIM_REACH] * weights->of[0];
    sums.lower = rows[SSIM_REACH + 1] * weights->of[0];
    for (int k = 1; k <= SSIM_REACH; k++) {
        sums.upper +=
            (rows[SSIM_REACH - k] + rows[SSIM_REACH + k]) * weights->of[k];
        sums.lower += (rows[SSIM_REACH + 1 - k] + rows[SSIM_REACH + 1 + k]) *
                      weights->of[k];
    }
    return sums;
}

/* (K1 * L)^2 and (K2 * L)^2, with K1 = 0.01, K2 = 0.03 and L = 255. */
#define SSIM_C1 6.5025F
#define SSIM_C2 58.5225F

ALWAYS_INLINE floats likeness(floats a, floats b, floats squares,
                              floats product)
{
    floats variances = squares - a * a - b * b;
    floats covariance = product - a * b;

    a += SSIM_MIDDLE;
    b += SSIM_MIDDLE;
    return (2 * a * b + SSIM_C1) * (2 * covariance + SSIM_C2) /
           ((a * a + b * b + SSIM_C1) * (variances + SSIM_C2));
}

static void ssim_down(const struct ssim_row *const *rows, const float *given,
                      int count, float *upper, float *lower)
{
    const struct weights weights = weights_of(given);
    const struct ssim_column in_a = column_of(rows, SSIM_A);
    const struct ssim_column in_b = column_of(rows, SSIM_B);
    const struct ssim_column in_squares = column_of(rows, SSIM_SQUARES);
    const struct ssim_column in_product = column_of(rows, SSIM_PRODUCT);

    for (int x = 0; x < count; x += SSIM_LANES) {
        struct averages a = average_down(&in_a, &weights, x);
        struct averages b = average_down(&in_b, &weights, x);
        struct averages squares = average_down(&in_squares, &weights, x);
        struct averages product = average_down(&in_product, &weights, x);

        store(upper + x,
              likeness(a.upper, b.upper, squares.upper, product.upper));
        store(lower + x,
              likeness(a.lower, b.lower, squares.lower, product.lower));
    }
}

static double sum_row(const float *values, int count)
{
    floats sums = {0};
    double sum = 0;
    int x = 0;

    for (; x + SSIM_LANES <= count; x += SSIM_LANES)
        sums += load(values + x);
    for (int i = 0; i < SSIM_LANES; i++)
        sum += (double)sums[i];
    for (; x < count; x++)
        sum += (double)values[x];
    return sum;
}

/* The build gives it a name per processor type. */
extern const struct pixel_kernels KERNELS;

const struct pixel_kernels KERNELS = {
    .compare_row = compare_row,
    .luma_row = luma_row,
    .ssim_across = ssim_across,
    .ssim_down = ssim_down,
    .sum_row = sum_row,
};
