/* Filters that look at a pixel's neighbours: blur, sharpen, heal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/picture/picture_transform.h"
#include "tools/phone/pictures/pixel_filter_private.h"

/* Three averages of a box, one after the other, are close to a Gaussian. */
#define PASSES 3

/* The radius for the unsharp mask. */
#define SHARPEN_RADIUS 2

#define RIM_POINTS 24 /* points around a healed disc */
#define HEAL_RADIUS_MAX 64

/* Average count pixels, each step bytes from the last; edges go on. */
static void average_line(const uint8_t *from, uint8_t *to, int count,
                         size_t step, int radius)
{
    const int width = 2 * radius + 1;
    int sum[PICTURE_PIXEL] = {0};

    for (int k = -radius; k <= radius; k++) {
        int at = k < 0 ? 0 : k >= count ? count - 1 : k;

        for (int i = 0; i < PICTURE_PIXEL; i++)
            sum[i] += from[(size_t)at * step + (size_t)i];
    }
    for (int x = 0; x < count; x++) {
        int first = x - radius < 0 ? 0 : x - radius;
        int next = x + radius + 1 >= count ? count - 1 : x + radius + 1;

        for (int i = 0; i < PICTURE_PIXEL; i++) {
            to[(size_t)x * step + (size_t)i] =
                (uint8_t)((sum[i] + width / 2) / width);
            sum[i] += from[(size_t)next * step + (size_t)i] -
                      from[(size_t)first * step + (size_t)i];
        }
    }
}

static void average(const struct picture *from, struct picture *to, int radius,
                    bool down)
{
    int lines = (int)(down ? from->width : from->height);
    int count = (int)(down ? from->height : from->width);
    size_t step = down ? from->stride : PICTURE_PIXEL;
    size_t next = down ? PICTURE_PIXEL : from->stride;

    for (int i = 0; i < lines; i++)
        average_line(from->pixels + (size_t)i * next,
                     to->pixels + (size_t)i * next, count, step, radius);
}

bool pixel_filter_blur(struct picture *picture, int radius, struct err *err)
{
    struct picture other = PICTURE_INIT;
    int box = (radius + 1) / 2;

    if (!picture_rotate(picture, 0, &other, err))
        return false;
    for (int i = 0; i < PASSES; i++) {
        average(picture, &other, box, false);
        average(&other, picture, box, true);
    }
    picture_release(&other);
    return true;
}

bool pixel_filter_sharpen(struct picture *picture, int amount, struct err *err)
{
    struct picture soft = PICTURE_INIT;

    if (!picture_rotate(picture, 0, &soft, err))
        return false;
    if (!pixel_filter_blur(&soft, SHARPEN_RADIUS, err)) {
        picture_release(&soft);
        return false;
    }
    for (uint32_t y = 0; y < picture->height; y++) {
        uint8_t *pixel = picture_row(picture, y);
        const uint8_t *blurred = picture_row(&soft, y);

        for (uint32_t x = 0; x < picture->width; x++) {
            for (int i = 0; i < 3; i++) {
                int sharp = pixel[i] + (pixel[i] - blurred[i]) * amount / 50;

                pixel[i] = (uint8_t)(sharp < 0 ? 0 : sharp > 255 ? 255 : sharp);
            }
            pixel += PICTURE_PIXEL;
            blurred += PICTURE_PIXEL;
        }
    }
    picture_release(&soft);
    return true;
}

/* ---- healing ---- */

struct rim {
    int x[RIM_POINTS], y[RIM_POINTS];
    uint8_t pixels[RIM_POINTS][PICTURE_PIXEL];
};

static int within(int value, uint32_t size)
{
    return value < 0 ? 0 : value >= (int)size ? (int)size - 1 : value;
}

static void read_rim(const struct picture *picture, int x, int y, int radius,
                     struct rim *rim)
{
    for (int i = 0; i < RIM_POINTS; i++) {
        float angle = (float)i * 6.2831853F / RIM_POINTS;

        rim->x[i] = within(x + (int)lroundf(cosf(angle) * (float)(radius + 1)),
                           picture->width);
        rim->y[i] = within(y + (int)lroundf(sinf(angle) * (float)(radius + 1)),
                           picture->height);
        memcpy(rim->pixels[i],
               picture_row(picture, (uint32_t)rim->y[i]) +
                   (size_t)rim->x[i] * PICTURE_PIXEL,
               PICTURE_PIXEL);
    }
}

/* The nearer a point of the rim, the more of its colour. */
static void mix_rim(const struct rim *rim, int x, int y, uint8_t *pixel)
{
    float sum[PICTURE_PIXEL] = {0};
    float weights = 0;

    for (int i = 0; i < RIM_POINTS; i++) {
        int dx = rim->x[i] - x;
        int dy = rim->y[i] - y;
        float weight = 1 / (float)(dx * dx + dy * dy + 1);

        for (int k = 0; k < PICTURE_PIXEL; k++)
            sum[k] += weight * rim->pixels[i][k];
        weights += weight;
    }
    for (int k = 0; k < PICTURE_PIXEL; k++)
        pixel[k] = (uint8_t)(sum[k] / weights + 0.5F);
}

void pixel_filter_heal(struct picture *picture, int x, int y, int radius)
{
    struct rim rim;

    if (radius < 1 || x < 0 || y < 0 || x >= (int)picture->width ||
        y >= (int)picture->height)
        return;
    if (radius > HEAL_RADIUS_MAX)
        radius = HEAL_RADIUS_MAX;
    read_rim(picture, x, y, radius, &rim);
    for (int row = y - radius; row <= y + radius; row++) {
        if (row < 0 || row >= (int)picture->height)
            continue;
        for (int at = x - radius; at <= x + radius; at++) {
            if (at < 0 || at >= (int)picture->width ||
                (at - x) * (at - x) + (row - y) * (row - y) > radius * radius)
                continue;
            mix_rim(&rim, at, row,
                    picture_row(picture, (uint32_t)row) +
                        (size_t)at * PICTURE_PIXEL);
        }
    }
}
