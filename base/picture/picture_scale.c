#include "base/picture/picture_scale.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define LOBES 3
#define PI 3.14159265358979323846

/* A pixel: R, G and B premultiplied by alpha, and alpha. */
typedef float pixel4 __attribute__((vector_size(4 * sizeof(float))));

/* ---- weights ---- */

/*
 * Along one axis: pixel i is the sum of length source pixels, from first[i] on.
 */
struct filter_taps {
    int *first;     /* owned */
    float *weights; /* owned; length weights for each pixel */
    int length;
};

static double lanczos(double x)
{
    double angle = PI * x;

    if (fabs(x) < 1e-9)
        return 1;
    if (fabs(x) >= LOBES)
        return 0;
    return LOBES * sin(angle) * sin(angle / LOBES) / (angle * angle);
}

static void weigh(float *weights, int length, int first, double middle,
                  double step)
{
    double sum = 0;

    for (int k = 0; k < length; k++)
        sum += lanczos((first + k + 0.5 - middle) / step);
    for (int k = 0; k < length; k++)
        weights[k] = (float)(lanczos((first + k + 0.5 - middle) / step) / sum);
}

static void taps_init(struct filter_taps *taps, uint32_t from, uint32_t to)
{
    double ratio = (double)from / to;
    double step = ratio > 1 ? ratio : 1;
    int reach = (int)ceil(LOBES * step);

    taps->length = 2 * reach + 1 < (int)from ? 2 * reach + 1 : (int)from;
    taps->first = mem_new(to, sizeof(*taps->first));
    taps->weights =
        mem_new((size_t)to * (size_t)taps->length, sizeof(*taps->weights));
    for (uint32_t i = 0; i < to; i++) {
        double middle = (i + 0.5) * ratio;
        int first = (int)floor(middle) - reach;

        if (first > (int)from - taps->length)
            first = (int)from - taps->length;
        taps->first[i] = first > 0 ? first : 0;
        weigh(taps->weights + (size_t)i * (size_t)taps->length, taps->length,
              taps->first[i], middle, step);
    }
}

static void taps_release(struct filter_taps *taps)
{
    free(taps->first);
    free(taps->weights);
}

/* ---- rows ---- */

/*
 * Each row is scaled horizontally once, and kept as long as later rows need it:
 * row y at y % down.length.
 */
struct scaler {
    const struct picture *from;
    struct picture *to;
    struct filter_taps across, down;
    pixel4 *source; /* owned; a row of from */
    pixel4 *rows;   /* owned */
    int ready;      /* rows of from that were scaled */
};

static pixel4 load(const uint8_t *pixel)
{
    float alpha = (float)pixel[3] / 255;

    return (pixel4){(float)pixel[0] * alpha, (float)pixel[1] * alpha,
                    (float)pixel[2] * alpha, (float)pixel[3]};
}

static uint8_t to_byte(float value)
{
    return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)lrintf(value);
}

static void store(uint8_t *to, pixel4 pixel)
{
    float whole = pixel[3] > 0 ? 255 / pixel[3] : 0;

    for (int i = 0; i < 3; i++)
        to[i] = to_byte(pixel[i] * whole);
    to[3] = to_byte(pixel[3]);
}

static void scale_across(struct scaler *scaler, int y)
{
    const struct filter_taps *taps = &scaler->across;
    uint32_t width = scaler->to->width;
    const uint8_t *row = picture_row(scaler->from, (uint32_t)y);
    pixel4 *to =
        scaler->rows + (size_t)(y % scaler->down.length) * (size_t)width;

    for (uint32_t x = 0; x < scaler->from->width; x++)
        scaler->source[x] = load(row + (size_t)x * PICTURE_PIXEL);
    for (uint32_t x = 0; x < width; x++) {
        const pixel4 *source = scaler->source + taps->first[x];
        const float *weights = taps->weights + (size_t)x * (size_t)taps->length;
        pixel4 sum = {0};

        for (int k = 0; k < taps->length; k++)
            sum += source[k] * weights[k];
        to[x] = sum;
    }
}

static void scale_down(const struct scaler *scaler, uint32_t y)
{
    const struct filter_taps *taps = &scaler->down;
    uint32_t width = scaler->to->width;
    const float *weights = taps->weights + (size_t)y * (size_t)taps->length;
    uint8_t *to = picture_row(scaler->to, y);

    for (uint32_t x = 0; x < width; x++) {
        pixel4 sum = {0};

        for (int k = 0; k < taps->length; k++) {
            int row = (taps->first[y] + k) % taps->length;

            sum += scaler->rows[(size_t)row * width + x] * weights[k];
        }
        store(to + (size_t)x * PICTURE_PIXEL, sum);
    }
}

bool picture_scale(const struct picture *from, uint32_t width, uint32_t height,
                   struct picture *to, struct err *err)
{
    struct scaler scaler = {.from = from, .to = to};

    assert(from != to && from->width && from->height);
    if (!picture_resize(to, width, height, err))
        return false;
    taps_init(&scaler.across, from->width, width);
    taps_init(&scaler.down, from->height, height);
    scaler.source = mem_new(from->width, sizeof(*scaler.source));
    scaler.rows = mem_new((size_t)width * (size_t)scaler.down.length,
                          sizeof(*scaler.rows));
    for (uint32_t y = 0; y < height; y++) {
        int needed = scaler.down.first[y] + scaler.down.length;

        for (; scaler.ready < needed; scaler.ready++)
            scale_across(&scaler, scaler.ready);
        scale_down(&scaler, y);
    }
    free(scaler.source);
    free(scaler.rows);
    taps_release(&scaler.across);
    taps_release(&scaler.down);
    return true;
}

bool picture_shrink(const struct picture *from, uint32_t width, uint32_t height,
                    struct picture *to, struct err *err)
{
    double across = (double)width / from->width;
    double down = (double)height / from->height;
    double part = fmin(1, fmin(across, down));

    return picture_scale(from, (uint32_t)fmax(1, round(from->width * part)),
                         (uint32_t)fmax(1, round(from->height * part)), to,
                         err);
}
