#include "tools/phone/pictures/pixel_filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/phone/pictures/layer_blend.h"

#define SIDE 40

/* A ramp: each pixel has another brightness than its neighbours. */
static void make(struct picture *picture)
{
    struct err err = ERR_INIT;

    *picture = (struct picture)PICTURE_INIT;
    assert_true(picture_resize(picture, SIDE, SIDE, &err));
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            uint8_t *pixel = picture_row(picture, y) + x * PICTURE_PIXEL;

            pixel[0] = (uint8_t)(x * 6);
            pixel[1] = (uint8_t)(y * 6);
            pixel[2] = 100;
            pixel[3] = 255;
        }
    }
}

static const uint8_t *at(const struct picture *picture, uint32_t x, uint32_t y)
{
    return picture_row(picture, y) + (size_t)x * PICTURE_PIXEL;
}

static void apply(enum pixel_filter_kind kind, int a, int b, int c,
                  struct picture *picture)
{
    const struct pixel_filter filter = {kind, {a, b, c}};
    struct err err = ERR_INIT;

    assert_true(pixel_filter_apply(&filter, picture, &err));
}

static void assert_pixel(const uint8_t *pixel, int red, int green, int blue)
{
    assert_true(abs(pixel[0] - red) <= 2);
    assert_true(abs(pixel[1] - green) <= 2);
    assert_true(abs(pixel[2] - blue) <= 2);
}

static void defaults_of_tone_change_nothing(void **state)
{
    struct picture picture;

    (void)state;
    make(&picture);
    apply(PIXEL_FILTER_LIGHT, 0, 0, 0, &picture);
    apply(PIXEL_FILTER_LEVELS, 0, 255, 100, &picture);
    apply(PIXEL_FILTER_HUE, 0, 0, 0, &picture);
    assert_pixel(at(&picture, 20, 10), 120, 60, 100);
    picture_release(&picture);
}

static void tone_is_changed_as_it_says(void **state)
{
    struct picture picture;

    (void)state;
    make(&picture);
    apply(PIXEL_FILTER_LIGHT, 50, 0, 0, &picture);
    assert_pixel(at(&picture, 20, 10), 184, 124, 164);
    apply(PIXEL_FILTER_INVERT, 0, 0, 0, &picture);
    assert_pixel(at(&picture, 20, 10), 71, 131, 91);
    apply(PIXEL_FILTER_GRAY, 0, 0, 0, &picture);
    assert_int_equal(at(&picture, 20, 10)[0], at(&picture, 20, 10)[2]);
    picture_release(&picture);
}

static void a_whole_turn_of_hue_is_none(void **state)
{
    struct picture picture;

    (void)state;
    make(&picture);
    apply(PIXEL_FILTER_HUE, 120, 0, 0, &picture);
    assert_true(abs(at(&picture, 20, 10)[0] - 120) > 10);
    apply(PIXEL_FILTER_HUE, 120, 0, 0, &picture);
    apply(PIXEL_FILTER_HUE, 120, 0, 0, &picture);
    assert_pixel(at(&picture, 20, 10), 120, 60, 100);
    picture_release(&picture);
}

static void levels_whose_ends_cross_are_bounded(void **state)
{
    struct picture picture;

    (void)state;
    make(&picture);
    apply(PIXEL_FILTER_LEVELS, 200, 10, 1, &picture);
    assert_int_equal(at(&picture, 20, 10)[0], 0);
    picture_release(&picture);
}

static void blur_keeps_the_mean_and_sharpen_the_flat(void **state)
{
    struct picture picture;

    (void)state;
    make(&picture);
    apply(PIXEL_FILTER_BLUR, 4, 0, 0, &picture);
    assert_pixel(at(&picture, 20, 20), 120, 120, 100);
    assert_true(at(&picture, 0, 20)[0] > 4);
    apply(PIXEL_FILTER_SHARPEN, 100, 0, 0, &picture);
    assert_int_equal(at(&picture, 20, 20)[2], 100);
    picture_release(&picture);
}

/* Filters of a picture that is smaller than their reach. */
static void tiny_pictures_and_wild_values_are_bounded(void **state)
{
    (void)state;
    for (int kind = 0; kind < PIXEL_FILTERS; kind++) {
        for (int wild = -1; wild <= 1; wild++) {
            struct picture picture = PICTURE_INIT;
            struct err err = ERR_INIT;

            assert_true(picture_resize(&picture, 1, 2, &err));
            memset(picture.pixels, 77, 2 * picture.stride);
            apply((enum pixel_filter_kind)kind, wild * 1000000, wild * 9999,
                  wild * 77777, &picture);
            assert_int_equal(picture.width, 1);
            picture_release(&picture);
        }
    }
}

static void mosaic_makes_cells_of_one_colour(void **state)
{
    struct picture picture;

    (void)state;
    make(&picture);
    apply(PIXEL_FILTER_MOSAIC, 8, 0, 0, &picture);
    assert_memory_equal(at(&picture, 8, 8), at(&picture, 15, 15), 4);
    assert_int_not_equal(at(&picture, 15, 15)[0], at(&picture, 16, 15)[0]);
    picture_release(&picture);
}

static void healed_disc_is_as_its_rim(void **state)
{
    struct picture picture;

    (void)state;
    make(&picture);
    for (uint32_t y = 18; y < 23; y++) {
        for (uint32_t x = 18; x < 23; x++)
            memset(picture_row(&picture, y) + x * PICTURE_PIXEL, 0, 3);
    }
    pixel_filter_heal(&picture, 20, 20, 6);
    assert_true(abs(at(&picture, 20, 20)[0] - 120) < 8);
    assert_true(abs(at(&picture, 20, 20)[2] - 100) < 2);
    assert_pixel(at(&picture, 5, 5), 30, 30, 100);
    pixel_filter_heal(&picture, -5, 20, 6);
    pixel_filter_heal(&picture, SIDE - 1, SIDE - 1, 1000);
    picture_release(&picture);
}

/* ---- blending ---- */

static void one_pixel(struct picture *picture, int value, int alpha)
{
    struct err err = ERR_INIT;

    *picture = (struct picture)PICTURE_INIT;
    assert_true(picture_resize(picture, 1, 1, &err));
    memset(picture->pixels, value, 3);
    picture->pixels[3] = (uint8_t)alpha;
}

static void assert_blend(enum layer_blend blend, int opacity, int wanted)
{
    struct picture layer, below;

    one_pixel(&layer, 200, 255);
    one_pixel(&below, 100, 255);
    layer_blend_put(blend, opacity, &layer, NULL, &below);
    assert_true(abs(below.pixels[0] - wanted) <= 1);
    assert_int_equal(below.pixels[3], 255);
    picture_release(&layer);
    picture_release(&below);
}

static void layers_blend_as_their_modes_say(void **state)
{
    (void)state;
    assert_blend(LAYER_BLEND_NORMAL, 100, 200);
    assert_blend(LAYER_BLEND_NORMAL, 50, 150);
    assert_blend(LAYER_BLEND_NORMAL, 0, 100);
    assert_blend(LAYER_BLEND_MULTIPLY, 100, 78);
    assert_blend(LAYER_BLEND_SCREEN, 100, 222);
    assert_blend(LAYER_BLEND_OVERLAY, 100, 157);
    assert_blend(LAYER_BLEND_DARKEN, 100, 100);
    assert_blend(LAYER_BLEND_LIGHTEN, 100, 200);
    assert_blend(LAYER_BLEND_DIFFERENCE, 100, 100);
}

static void mask_says_where_a_layer_is(void **state)
{
    struct picture layer, below, mask;

    (void)state;
    one_pixel(&layer, 200, 255);
    one_pixel(&below, 100, 255);
    one_pixel(&mask, 0, 255);
    layer_blend_put(LAYER_BLEND_NORMAL, 100, &layer, &mask, &below);
    assert_int_equal(below.pixels[0], 100);
    memset(mask.pixels, 128, 3);
    layer_blend_put(LAYER_BLEND_NORMAL, 100, &layer, &mask, &below);
    assert_true(abs(below.pixels[0] - 150) <= 1);
    picture_release(&layer);
    picture_release(&below);
    picture_release(&mask);
}

static void nothing_below_leaves_a_layer_as_it_is(void **state)
{
    struct picture layer, below;

    (void)state;
    one_pixel(&layer, 200, 128);
    one_pixel(&below, 0, 0);
    layer_blend_put(LAYER_BLEND_MULTIPLY, 100, &layer, NULL, &below);
    assert_int_equal(below.pixels[0], 200);
    assert_int_equal(below.pixels[3], 128);
    picture_release(&layer);
    picture_release(&below);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_of_tone_change_nothing),
        cmocka_unit_test(tone_is_changed_as_it_says),
        cmocka_unit_test(a_whole_turn_of_hue_is_none),
        cmocka_unit_test(levels_whose_ends_cross_are_bounded),
        cmocka_unit_test(blur_keeps_the_mean_and_sharpen_the_flat),
        cmocka_unit_test(tiny_pictures_and_wild_values_are_bounded),
        cmocka_unit_test(mosaic_makes_cells_of_one_colour),
        cmocka_unit_test(healed_disc_is_as_its_rim),
        cmocka_unit_test(layers_blend_as_their_modes_say),
        cmocka_unit_test(mask_says_where_a_layer_is),
        cmocka_unit_test(nothing_below_leaves_a_layer_as_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
