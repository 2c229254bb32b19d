/* The kernels for this machine compute the same as the portable ones. */
#include "process_provider/diff/pixel_kernels.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/picture/picture.h"

#define WIDTH 203
#define TILES ((WIDTH + TILE - 1) / TILE)
#define COUNT 200 /* windows: a multiple of the lanes */

/* Random-looking bytes; every third pixel of b equals that of a. */
static void fill(uint8_t *a, uint8_t *b, unsigned seed)
{
    for (size_t i = 0; i < (size_t)WIDTH * PICTURE_PIXEL; i++) {
        seed = seed * 1103515245U + 12345U;
        a[i] = (uint8_t)(seed >> 16);
        b[i] = i / PICTURE_PIXEL % 3 ? (uint8_t)(seed >> 24) : a[i];
    }
}

struct kernel_outcome {
    struct tile tiles[TILES];
    struct row_sums sums;
};

static struct kernel_outcome compare(const struct pixel_kernels *kernels,
                                     const struct row_pair *pair)
{
    struct kernel_outcome outcome;

    memset(&outcome, 0, sizeof(outcome));
    kernels->compare_row(pair, outcome.tiles, &outcome.sums);
    return outcome;
}

static void row_kernels_agree(void **state)
{
    uint8_t a[WIDTH * PICTURE_PIXEL];
    uint8_t b[WIDTH * PICTURE_PIXEL];

    (void)state;
    for (int i = 0; i < 400; i++) {
        const struct row_pair pair = {
            .a = a,
            .b = b,
            .left = i % 37,
            .right = WIDTH - i % 41,
            .y = i % TILE,
            .tolerance = i % 3 * 20,
            .squares = i % 2,
        };
        struct kernel_outcome plain, best;

        fill(a, b, (unsigned)i);
        plain = compare(&pixel_kernels_plain, &pair);
        best = compare(pixel_kernels_best(), &pair);
        assert_memory_equal(&plain, &best, sizeof(plain));
        assert_true(plain.sums.pixels > 0);
        assert_int_equal(plain.sums.squares > 0, pair.squares);
    }
}

/* Two rows of windows with equal rows. */
static void average(const struct pixel_kernels *kernels, const uint8_t *a,
                    const uint8_t *b, float *likeness)
{
    static const float weights[SSIM_REACH + 1] = {0.26F,  0.21F,   0.11F,
                                                  0.035F, 0.0075F, 0.0075F};
    static float memory[2][SSIM_PLANES][COUNT + 2 * SSIM_LANES];
    struct ssim_row pixels, row;
    const struct ssim_row *rows[SSIM_SIDE + 1];
    float lower[COUNT];

    memset(memory, 0, sizeof(memory));
    for (int i = 0; i < SSIM_PLANES; i++) {
        pixels.planes[i] = memory[0][i];
        row.planes[i] = memory[1][i];
    }
    for (int i = 0; i <= SSIM_SIDE; i++)
        rows[i] = &row;
    kernels->luma_row(a, WIDTH, pixels.planes[SSIM_A]);
    kernels->luma_row(b, WIDTH, pixels.planes[SSIM_B]);
    kernels->ssim_across(&pixels, weights, COUNT, &row);
    kernels->ssim_down(rows, weights, COUNT, likeness, lower);
    for (int i = 0; i < COUNT; i++)
        assert_true(fabsf(likeness[i] - lower[i]) < 1e-5F);
}

static void window_kernels_agree(void **state)
{
    uint8_t a[WIDTH * PICTURE_PIXEL];
    uint8_t b[WIDTH * PICTURE_PIXEL];
    float plain[COUNT], best[COUNT];

    (void)state;
    for (unsigned seed = 0; seed < 20; seed++) {
        fill(a, b, seed);
        average(&pixel_kernels_plain, a, b, plain);
        average(pixel_kernels_best(), a, b, best);
        for (int i = 0; i < COUNT; i++)
            assert_true(fabsf(plain[i] - best[i]) < 1e-5F);
        assert_true(fabs(pixel_kernels_plain.sum_row(plain, COUNT - 3) -
                         pixel_kernels_best()->sum_row(plain, COUNT - 3)) <
                    1e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(row_kernels_agree),
        cmocka_unit_test(window_kernels_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
