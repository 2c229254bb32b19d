#include "process_provider/diff/ssim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "process_provider/diff/pixel_kernels.h"

#define SIGMA 1.5

/* Two rows of windows, one below the other, reach this many rows of pixels. */
#define ROWS (SSIM_SIDE + 1)

/*
 * The windows go down the pictures two rows at a time. Each row of pixels is
 * averaged sideways once, and kept for as long as a window reaches it.
 */
struct windows {
    const struct picture *before, *after;
    const struct unmasked_area *areas;
    const struct pixel_kernels *kernels;
    float weights[SSIM_REACH + 1];
    int count;     /* of windows beside each other, rounded up to lanes */
    float *memory; /* owned; of all that follows */
    struct ssim_row pixels;
    struct ssim_row rows[ROWS]; /* row y is at y % ROWS */
    float *likeness[2];         /* of the upper and the lower windows */
};

static void make_weights(float weights[SSIM_REACH + 1])
{
    double exact[SSIM_REACH + 1];
    double sum = 0;

    for (int k = 0; k <= SSIM_REACH; k++) {
        exact[k] = exp(-k * k / (2 * SIGMA * SIGMA));
        sum += k ? 2 * exact[k] : exact[k];
    }
    for (int k = 0; k <= SSIM_REACH; k++)
        weights[k] = (float)(exact[k] / sum);
}

static void windows_init(struct windows *windows, const struct picture *before,
                         const struct picture *after,
                         const struct unmasked_area *areas)
{
    int beside = (int)before->width - SSIM_SIDE + 1;
    size_t length;
    float *at;

    *windows = (struct windows){.before = before,
                                .after = after,
                                .areas = areas,
                                .kernels = pixel_kernels_best()};
    make_weights(windows->weights);
    windows->count = (beside + SSIM_LANES - 1) / SSIM_LANES * SSIM_LANES;
    /* The last windows reach beyond, into pixels that are 0. */
    length = (size_t)windows->count + 2 * SSIM_LANES;
    windows->memory =
        mem_new(length * (SSIM_PLANES * (ROWS + 1) + 2), sizeof(float));
    at = windows->memory;
    windows->likeness[0] = at;
    windows->likeness[1] = at += length;
    for (int plane = 0; plane < SSIM_PLANES; plane++) {
        windows->pixels.planes[plane] = at += length;
        for (int row = 0; row < ROWS; row++)
            windows->rows[row].planes[plane] = at += length;
    }
}

/* Make the masked pixels of row y equal in both pictures. */
static void equalize(const struct windows *windows, int y)
{
    const struct unmasked_area *areas = windows->areas;
    int width = (int)windows->before->width;
    float *masked = windows->likeness[0]; /* not in use yet */
    float *b = windows->pixels.planes[SSIM_B];

    if (areas->pixels == (uint64_t)width * windows->before->height)
        return;
    memcpy(masked, windows->pixels.planes[SSIM_A],
           (size_t)width * sizeof(*masked));
    for (size_t i = 0; i < areas->count; i++) {
        struct box area = areas->boxes[i];

        if (y >= area.top && y < area.bottom)
            memcpy(masked + area.left, b + area.left,
                   (size_t)box_width(area) * sizeof(*masked));
    }
    memcpy(b, masked, (size_t)width * sizeof(*masked));
}

static void read_row(const struct windows *windows, int y)
{
    const struct pixel_kernels *kernels = windows->kernels;
    int width = (int)windows->before->width;

    kernels->luma_row(picture_row(windows->before, (uint32_t)y), width,
                      windows->pixels.planes[SSIM_A]);
    kernels->luma_row(picture_row(windows->after, (uint32_t)y), width,
                      windows->pixels.planes[SSIM_B]);
    equalize(windows, y);
    kernels->ssim_across(&windows->pixels, windows->weights, windows->count,
                         &windows->rows[y % ROWS]);
}

/* The windows whose middle is on row y, and those below. */
static void compare_windows(const struct windows *windows, int y)
{
    const struct ssim_row *rows[ROWS];

    for (int k = 0; k < ROWS; k++)
        rows[k] = &windows->rows[(y - SSIM_REACH + k) % ROWS];
    windows->kernels->ssim_down(rows, windows->weights, windows->count,
                                windows->likeness[0], windows->likeness[1]);
}

/* Add the windows with their centre on row y and within the areas. */
static uint64_t add_windows(const struct windows *windows, int y,
                            const float *likeness, double *sum)
{
    int last = (int)windows->before->width - SSIM_REACH;
    uint64_t count = 0;

    for (size_t i = 0; i < windows->areas->count; i++) {
        struct box area = windows->areas->boxes[i];
        int from = area.left > SSIM_REACH ? area.left : SSIM_REACH;
        int to = area.right < last ? area.right : last;

        if (y < area.top || y >= area.bottom || to <= from)
            continue;
        *sum +=
            windows->kernels->sum_row(likeness + from - SSIM_REACH, to - from);
        count += (uint64_t)(to - from);
    }
    return count;
}

double ssim(const struct picture *before, const struct picture *after,
            const struct unmasked_area *areas)
{
    int height = (int)before->height;
    struct windows windows;
    double sum = 0;
    uint64_t count = 0;

    if (before->width < SSIM_SIDE || before->height < SSIM_SIDE)
        return NAN;
    windows_init(&windows, before, after, areas);
    for (int y = 0; y < SSIM_SIDE - 1; y++)
        read_row(&windows, y);
    for (int y = SSIM_REACH; y + SSIM_REACH < height; y += 2) {
        bool two = y + 1 + SSIM_REACH < height;

        read_row(&windows, y + SSIM_REACH);
        if (two)
            read_row(&windows, y + 1 + SSIM_REACH);
        compare_windows(&windows, y);
        count += add_windows(&windows, y, windows.likeness[0], &sum);
        if (two)
            count += add_windows(&windows, y + 1, windows.likeness[1], &sum);
    }
    free(windows.memory);
    return count ? sum / (double)count : NAN;
}
