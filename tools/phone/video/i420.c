#include "tools/phone/video/i420.h"

#include <stdlib.h>

#include "base/mem.h"

/* Weights of BT.709 with 16 bits after the point. */
#define ONE_HALF (1 << 15)

struct rgb {
    int32_t red;
    int32_t green;
    int32_t blue;
};

static uint8_t y_of(struct rgb c)
{
    return (uint8_t)(16 + ((11966 * c.red + 40254 * c.green + 4064 * c.blue +
                            ONE_HALF) >>
                           16));
}

static uint8_t u_of(struct rgb c)
{
    return (uint8_t)(128 + ((-6596 * c.red - 22188 * c.green + 28784 * c.blue +
                             ONE_HALF) >>
                            16));
}

static uint8_t v_of(struct rgb c)
{
    return (uint8_t)(128 + ((28784 * c.red - 26145 * c.green - 2639 * c.blue +
                             ONE_HALF) >>
                            16));
}

void i420_resize(struct i420 *i420, struct extent size)
{
    size_t pixels = (size_t)size.width * (size_t)size.height;

    i420->size = size;
    i420->planes[0] = mem_resize(i420->planes[0], pixels / 2 * 3, 1);
    i420->planes[1] = i420->planes[0] + pixels;
    i420->planes[2] = i420->planes[1] + pixels / 4;
}

void i420_release(struct i420 *i420)
{
    free(i420->planes[0]);
    *i420 = (struct i420){.size = {0, 0}};
}

static struct rgb pixel_at(const uint8_t *pixel)
{
    return (struct rgb){pixel[0], pixel[1], pixel[2]};
}

/* Put four pixels, two of each row, at an even place. */
static void put_square(struct i420 *i420, size_t x, size_t y,
                       const struct rgb square[4])
{
    size_t width = (size_t)i420->size.width;
    uint8_t *to = i420->planes[0] + y * width + x;
    size_t at = y / 2 * (width / 2) + x / 2;
    struct rgb sum = {2, 2, 2}; /* rounds */

    for (size_t i = 0; i < 4; i++) {
        to[i / 2 * width + i % 2] = y_of(square[i]);
        sum.red += square[i].red;
        sum.green += square[i].green;
        sum.blue += square[i].blue;
    }
    sum = (struct rgb){sum.red / 4, sum.green / 4, sum.blue / 4};
    i420->planes[1][at] = u_of(sum);
    i420->planes[2][at] = v_of(sum);
}

static void convert_rows(struct i420 *i420, const struct picture *picture,
                         size_t y)
{
    const uint8_t *top = picture_row(picture, (uint32_t)y);
    const uint8_t *bottom = picture_row(picture, (uint32_t)y + 1);

    for (size_t x = 0; x < (size_t)i420->size.width; x += 2) {
        size_t at = x * PICTURE_PIXEL;
        const struct rgb square[4] = {
            pixel_at(top + at),
            pixel_at(top + at + PICTURE_PIXEL),
            pixel_at(bottom + at),
            pixel_at(bottom + at + PICTURE_PIXEL),
        };

        put_square(i420, x, y, square);
    }
}

/* The average of the pixels that one pixel of the target covers, at least one.
 */
static struct rgb average(const struct picture *picture, struct extent size,
                          size_t x, size_t y)
{
    size_t left = x * picture->width / (size_t)size.width;
    size_t right = (x + 1) * picture->width / (size_t)size.width;
    size_t top = y * picture->height / (size_t)size.height;
    size_t bottom = (y + 1) * picture->height / (size_t)size.height;
    int32_t count;
    struct rgb sum;

    right = right > left ? right : left + 1;
    bottom = bottom > top ? bottom : top + 1;
    count = (int32_t)((right - left) * (bottom - top));
    sum = (struct rgb){count / 2, count / 2, count / 2};
    for (size_t row = top; row < bottom; row++) {
        const uint8_t *pixel =
            picture_row(picture, (uint32_t)row) + left * PICTURE_PIXEL;

        for (size_t i = left; i < right; i++, pixel += PICTURE_PIXEL) {
            sum.red += pixel[0];
            sum.green += pixel[1];
            sum.blue += pixel[2];
        }
    }
    return (struct rgb){sum.red / count, sum.green / count, sum.blue / count};
}

static void scale_rows(struct i420 *i420, const struct picture *picture,
                       size_t y)
{
    for (size_t x = 0; x < (size_t)i420->size.width; x += 2) {
        struct rgb square[4];

        for (size_t i = 0; i < 4; i++)
            square[i] = average(picture, i420->size, x + i % 2, y + i / 2);
        put_square(i420, x, y, square);
    }
}

void i420_from_picture(struct i420 *i420, const struct picture *picture)
{
    bool same = (int)picture->width == i420->size.width &&
                (int)picture->height == i420->size.height;

    for (size_t y = 0; y < (size_t)i420->size.height; y += 2)
        (same ? convert_rows : scale_rows)(i420, picture, y);
}
