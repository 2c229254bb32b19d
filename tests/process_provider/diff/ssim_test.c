#include "process_provider/diff/ssim.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/picture/luma.h"

#define SIDE 11
#define CLOSE 1e-5 /* required: 1e-4 */

/* ---- the definition, written plainly ---- */

struct window {
    double weights[SIDE][SIDE];
};

static void window_init(struct window *window)
{
    double sum = 0;

    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = i % SIDE - SIDE / 2;
        int y = i / SIDE - SIDE / 2;

        window->weights[y + SIDE / 2][x + SIDE / 2] =
            exp(-(x * x + y * y) / (2 * 1.5 * 1.5));
        sum += window->weights[y + SIDE / 2][x + SIDE / 2];
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        window->weights[i / SIDE][i % SIDE] /= sum;
}

static double luma_at(const struct picture *picture, int x, int y)
{
    return luma(picture_row(picture, (uint32_t)y) + (size_t)x * PICTURE_PIXEL);
}

/* The similarity around one pixel. */
static double likeness(const struct window *window, const struct picture *a,
                       const struct picture *b, int left, int top)
{
    double ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
    const double c1 = 0.01 * 255 * 0.01 * 255;
    const double c2 = 0.03 * 255 * 0.03 * 255;

    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = i % SIDE;
        int y = i / SIDE;
        double weight = window->weights[y][x];
        double pa = luma_at(a, left + x, top + y);
        double pb = luma_at(b, left + x, top + y);

        ma += weight * pa;
        mb += weight * pb;
        aa += weight * pa * pa;
        bb += weight * pb * pb;
        ab += weight * pa * pb;
    }
    return (2 * ma * mb + c1) * (2 * (ab - ma * mb) + c2) /
           ((ma * ma + mb * mb + c1) * (aa - ma * ma + bb - mb * mb + c2));
}

static double reference(const struct picture *a, const struct picture *b)
{
    struct window window;
    double sum = 0;
    int across = (int)a->width - SIDE + 1;
    int down = (int)a->height - SIDE + 1;

    window_init(&window);
    for (int i = 0; i < across * down; i++)
        sum += likeness(&window, a, b, i % across, i / across);
    return sum / across / down;
}

/* ---- pictures ---- */

/* Shapes, a gradient and noise that a seed varies. */
static void draw(struct picture *picture, uint32_t width, uint32_t height,
                 unsigned seed)
{
    struct err err = ERR_INIT;
    unsigned noise = seed * 7919 + 1;

    assert_true(picture_resize(picture, width, height, &err));
    for (uint32_t i = 0; i < width * height; i++) {
        uint32_t x = i % width;
        uint32_t y = i / width;
        uint8_t *pixel = picture->pixels + (size_t)i * PICTURE_PIXEL;

        noise = noise * 1103515245 + 12345;
        pixel[0] = (uint8_t)(x * 3 + seed * (noise >> 28));
        pixel[1] = (uint8_t)((x / 9 + y / 7) % 2 ? 230 : 20 + seed);
        pixel[2] = (uint8_t)(y * 2 + (noise >> 27));
        pixel[3] = 0xff;
    }
}

static double ssim_of_all(const struct picture *a, const struct picture *b)
{
    struct unmasked_area areas;
    double result;

    unmasked_area_init(&areas, a->width, a->height, NULL, 0);
    result = ssim(a, b, &areas);
    unmasked_area_release(&areas);
    return result;
}

static void ssim_equals_the_definition(void **state)
{
    static const uint32_t sizes[][2] = {
        {11, 11}, {12, 40}, {40, 12}, {19, 23}, {65, 50}};
    struct picture a = PICTURE_INIT;
    struct picture b = PICTURE_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        for (unsigned seed = 1; seed < 20; seed += 6) {
            draw(&a, sizes[i][0], sizes[i][1], 0);
            draw(&b, sizes[i][0], sizes[i][1], seed);
            assert_true(fabs(ssim_of_all(&a, &b) - reference(&a, &b)) < CLOSE);
        }
    }
    picture_release(&a);
    picture_release(&b);
}

static void flat_pictures_differ_by_their_means(void **state)
{
    struct picture a = PICTURE_INIT;
    struct picture b = PICTURE_INIT;
    double expected = (2.0 * 255 * 0 + 6.5025) / (255.0 * 255 + 6.5025);

    (void)state;
    draw(&a, 30, 30, 0);
    draw(&b, 30, 30, 0);
    memset(a.pixels, 0xff, a.stride * a.height);
    memset(b.pixels, 0x00, b.stride * b.height);
    assert_true(fabs(ssim_of_all(&a, &b) - expected) < CLOSE);
    picture_release(&a);
    picture_release(&b);
}

static void ssim_of_equal_pictures_is_1(void **state)
{
    struct picture a = PICTURE_INIT;

    (void)state;
    draw(&a, 50, 40, 3);
    assert_true(fabs(ssim_of_all(&a, &a) - 1) < 1e-6);
    picture_release(&a);
}

static void a_picture_smaller_than_the_window_has_none(void **state)
{
    struct picture a = PICTURE_INIT;

    (void)state;
    draw(&a, 10, 40, 0);
    assert_true(isnan(ssim_of_all(&a, &a)));
    picture_release(&a);
}

/* Masked pixels are equal, and windows around them do not count. */
static void masked_pixels_do_not_count(void **state)
{
    const struct box mask = {0, 0, 20, 40};
    struct picture a = PICTURE_INIT;
    struct picture b = PICTURE_INIT;
    struct unmasked_area areas;

    (void)state;
    draw(&a, 40, 40, 0);
    draw(&b, 40, 40, 0);
    for (uint32_t y = 0; y < 40; y++)
        memset(picture_row(&b, y), 0x80, (size_t)20 * PICTURE_PIXEL);
    unmasked_area_init(&areas, 40, 40, &mask, 1);
    assert_true(fabs(ssim(&a, &b, &areas) - 1) < 1e-6);
    assert_true(ssim_of_all(&a, &b) < 0.7);
    unmasked_area_release(&areas);
    picture_release(&a);
    picture_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ssim_equals_the_definition),
        cmocka_unit_test(flat_pictures_differ_by_their_means),
        cmocka_unit_test(ssim_of_equal_pictures_is_1),
        cmocka_unit_test(a_picture_smaller_than_the_window_has_none),
        cmocka_unit_test(masked_pixels_do_not_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
