#include "process_provider/ssim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "process_provider/kernels.h"

#define SIGMA 1.5

/*
 * The windows go down the pictures row by row. Each row of pixels is averaged
 * sideways once, and kept for as long as a window reaches it.
 */
struct windows {
    const struct picture *before, *after;
    const struct areas *areas;
    const struct kernels *kernels;
    float weights[SSIM_REACH + 1];
    int count;     /* of windows beside each other, rounded up to lanes */
    float *memory; /* owned; of all that follows */
    struct ssim_row pixels;
    struct ssim_row rows[SSIM_SIDE]; /* row y is at y % SSIM_SIDE */
    float *likeness;
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
                         const struct picture *after, const struct areas *areas)
{
    int beside = (int)before->width - SSIM_SIDE + 1;
    size_t length;
    float *at;

    *windows = (struct windows){.before = before,
                                .after = after,
                                .areas = areas,
                                .kernels = kernels_best()};
    make_weights(windows->weights);
    windows->count = (beside + SSIM_LANES - 1) / SSIM_LANES * SSIM_LANES;
    /* The last windows reach beyond, into pixels that are 0. */
    length = (size_t)windows->count + 2 * SSIM_LANES;
    windows->memory =
        mem_new(length * (SSIM_PLANES * (SSIM_SIDE + 1) + 1), sizeof(float));
    at = windows->memory;
    windows->likeness = at;
    for (int plane = 0; plane < SSIM_PLANES; plane++) {
        windows->pixels.planes[plane] = at += length;
        for (int row = 0; row < SSIM_SIDE; row++)
            windows->rows[row].planes[plane] = at += length;
    }
}

/* What is masked in row y is made equal. */
static void equalize(const struct windows *windows, int y)
{
    const struct areas *areas = windows->areas;
    int width = (int)windows->before->width;
    float *masked = windows->likeness; /* not in use yet */
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
    const struct kernels *kernels = windows->kernels;
    int width = (int)windows->before->width;

    kernels->luma_row(picture_row(windows->before, (uint32_t)y), width,
                      windows->pixels.planes[SSIM_A]);
    kernels->luma_row(picture_row(windows->after, (uint32_t)y), width,
                      windows->pixels.planes[SSIM_B]);
    equalize(windows, y);
    kernels->ssim_across(&windows->pixels, windows->weights, windows->count,
                         &windows->rows[y % SSIM_SIDE]);
}

/* The windows whose middle is on row y. */
static void compare_windows(const struct windows *windows, int y)
{
    const struct ssim_row *rows[SSIM_SIDE];

    for (int k = 0; k < SSIM_SIDE; k++)
        rows[k] = &windows->rows[(y - SSIM_REACH + k) % SSIM_SIDE];
    windows->kernels->ssim_down(rows, windows->weights, windows->count,
                                windows->likeness);
}

/* Of those, the ones with their middle in areas. */
static uint64_t add_windows(const struct windows *windows, int y, double *sum)
{
    int last = (int)windows->before->width - SSIM_REACH;
    uint64_t count = 0;

    for (size_t i = 0; i < windows->areas->count; i++) {
        struct box area = windows->areas->boxes[i];
        int from = area.left > SSIM_REACH ? area.left : SSIM_REACH;
        int to = area.right < last ? area.right : last;

        if (y < area.top || y >= area.bottom || to <= from)
            continue;
        *sum += windows->kernels->sum_row(windows->likeness + from - SSIM_REACH,
                                          to - from);
        count += (uint64_t)(to - from);
    }
    return count;
}

double ssim(const struct picture *before, const struct picture *after,
            const struct areas *areas)
{
    int height = (int)before->height;
    struct windows windows;
    double sum = 0;
    uint64_t count = 0;

    if (before->width < SSIM_SIDE || before->height < SSIM_SIDE)
        return NAN;
    windows_init(&windows, before, after, areas);
    for (int y = 0; y < height; y++) {
        read_row(&windows, y);
        if (y < SSIM_SIDE - 1)
            continue;
        compare_windows(&windows, y - SSIM_REACH);
        count += add_windows(&windows, y - SSIM_REACH, &sum);
    }
    free(windows.memory);
    return count ? sum / (double)count : NAN;
}
