#include "base/picture/canvas.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SIDE 64
#define WHITE 0xffffffffU
#define BLACK 0xff000000U

/* A white picture to draw on. */
static struct picture white_picture(void)
{
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    assert_true(picture_resize(&picture, SIDE, SIDE, &err));
    memset(picture.pixels, 0xff, picture.stride * SIDE);
    return picture;
}

static int red_at(const struct picture *picture, int x, int y)
{
    return picture_row(picture, (uint32_t)y)[x * PICTURE_PIXEL];
}

/* The sum of darkness, in black pixels. */
static double darkness(const struct picture *picture)
{
    double sum = 0;

    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++)
            sum += (255 - red_at(picture, x, y)) / 255.0;
    }
    return sum;
}

static void assert_opaque(const struct picture *picture)
{
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++)
            assert_int_equal(
                picture_row(picture, (uint32_t)y)[x * PICTURE_PIXEL + 3], 255);
    }
}

static void colours_mix_at_both_ends_and_between(void **state)
{
    (void)state;
    assert_int_equal(color_between(BLACK, WHITE, 0), BLACK);
    assert_int_equal(color_between(BLACK, WHITE, 255), WHITE);
    assert_int_equal(color_between(0xff000000, 0xff204060, 128), 0xff102030);
    assert_int_equal(color_fade(0x80123456, 128) >> 24, 64);
    assert_int_equal(color_fade(0x80123456, 255), 0x80123456);
}

static void a_fill_stays_in_its_box_and_in_the_clip(void **state)
{
    struct picture picture = white_picture();
    struct canvas canvas;
    struct box before;

    (void)state;
    canvas_init(&canvas, &picture);
    before = canvas_clip(&canvas, (struct box){10, 10, 30, 30});
    canvas_fill(&canvas, (struct box){-1000, 20, 1000, 25}, BLACK);
    assert_true(darkness(&picture) == 20 * 5);
    assert_int_equal(red_at(&picture, 10, 20), 0);
    assert_int_equal(red_at(&picture, 9, 20), 255);
    assert_int_equal(red_at(&picture, 29, 24), 0);
    assert_int_equal(red_at(&picture, 30, 24), 255);
    canvas.clip = before;
    canvas_fill(&canvas, (struct box){0, 0, SIDE, SIDE}, 0x80000000);
    assert_in_range(red_at(&picture, 0, 0), 126, 128);
    assert_opaque(&picture);
    picture_release(&picture);
}

/* The coverage of a shape must equal its area. */
static void round_shapes_have_the_right_area(void **state)
{
    static const struct {
        struct box box;
        float radius;
        double area;
    } cases[] = {
        {{8, 8, 56, 56}, 24, 3.14159265 * 24 * 24},
        {{8, 8, 56, 56}, 99, 3.14159265 * 24 * 24},
        {{8, 8, 56, 56}, 0, 48 * 48},
        {{8, 16, 56, 40}, 8, 48 * 24 - (4 - 3.14159265) * 64},
        {{20, 20, 21, 21}, 0, 1},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct picture picture = white_picture();
        struct canvas canvas;

        canvas_init(&canvas, &picture);
        canvas_round(&canvas, cases[i].box, cases[i].radius, BLACK);
        assert_true(fabs(darkness(&picture) - cases[i].area) <
                    0.5 + cases[i].area / 200);
        picture_release(&picture);
    }
}

static void a_ring_is_a_shape_without_its_inside(void **state)
{
    struct picture picture = white_picture();
    struct canvas canvas;
    double area = 3.14159265 * (24 * 24 - 20 * 20);

    (void)state;
    canvas_init(&canvas, &picture);
    canvas_ring(&canvas, (struct box){8, 8, 56, 56}, 24, 4, BLACK);
    assert_true(fabs(darkness(&picture) - area) < area / 100);
    assert_int_equal(red_at(&picture, 32, 32), 255);
    assert_int_equal(red_at(&picture, 32, 9), 0);
    picture_release(&picture);
}

static void line_has_the_given_length_and_width(void **state)
{
    struct picture picture = white_picture();
    struct canvas canvas;
    double area = 30 * 4 + 3.14159265 * 4;

    (void)state;
    canvas_init(&canvas, &picture);
    canvas_line(&canvas, (struct canvas_line){10, 32, 40, 32, 4}, BLACK);
    assert_true(fabs(darkness(&picture) - area) < area / 50);
    picture_release(&picture);
}

static void a_shadow_fades_outwards(void **state)
{
    struct picture picture = white_picture();
    struct canvas canvas;

    (void)state;
    canvas_init(&canvas, &picture);
    canvas_shadow(&canvas, (struct box){20, 20, 44, 44}, 4,
                  (struct canvas_shadow){10, 0}, 0x80000000);
    for (int x = 12; x < 20; x++)
        assert_true(red_at(&picture, x, 32) < red_at(&picture, x - 1, 32));
    assert_int_equal(red_at(&picture, 9, 32), 255);
    for (int i = 0; i < 64; i++) /* the same on every side */
        assert_int_equal(red_at(&picture, i, 15), red_at(&picture, 15, i));
    picture_release(&picture);
}

static void a_gradient_goes_from_one_colour_to_the_other(void **state)
{
    struct picture picture = white_picture();
    struct canvas canvas;

    (void)state;
    canvas_init(&canvas, &picture);
    canvas_gradient(&canvas, canvas.clip, BLACK, WHITE);
    for (int y = 4; y < SIDE; y++)
        assert_true(red_at(&picture, 7, y) > red_at(&picture, 7, y - 4));
    assert_in_range(red_at(&picture, 0, SIDE / 2), 126, 131);
    assert_opaque(&picture);
    picture_release(&picture);
}

static void a_picture_is_scaled_to_its_box(void **state)
{
    struct picture picture = white_picture();
    struct picture small = PICTURE_INIT;
    struct err err = ERR_INIT;
    struct canvas canvas;

    (void)state;
    assert_true(picture_resize(&small, 2, 1, &err));
    memcpy(small.pixels, "\x00\x00\x00\xff\xc8\xc8\xc8\x00", 8);
    canvas_init(&canvas, &picture);
    canvas_picture(&canvas, (struct box){0, 0, 32, 16}, &small);
    assert_int_equal(red_at(&picture, 0, 8), 0);
    assert_int_equal(red_at(&picture, 31, 8), 255);
    assert_int_equal(red_at(&picture, 32, 8), 255);
    assert_opaque(&picture);
    picture_release(&small);
    picture_release(&picture);
}

/* Nothing beyond the picture is written, whatever the arguments. */
static void shapes_outside_or_inverted_are_harmless(void **state)
{
    static const struct box boxes[] = {
        {-500, -500, -400, -400}, {40, 40, 20, 20}, {-9000, -9000, 9000, 9000},
        {63, 63, 200, 200},       {5, 5, 5, 50},
    };
    static const uint8_t mask[1] = {255};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(boxes); i++) {
        struct picture picture = white_picture();
        struct canvas canvas;

        canvas_init(&canvas, &picture);
        canvas_fill(&canvas, boxes[i], 0x80123456);
        canvas_round(&canvas, boxes[i], 10, 0xff123456);
        canvas_ring(&canvas, boxes[i], 10, 3, 0x70123456);
        canvas_shadow(&canvas, boxes[i], 10, (struct canvas_shadow){9, 2},
                      0x30123456);
        canvas_gradient(&canvas, boxes[i], BLACK, WHITE);
        canvas_mask(&canvas, (struct box){-1, -1, 0, 0}, mask, BLACK);
        assert_opaque(&picture);
        picture_release(&picture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_mix_at_both_ends_and_between),
        cmocka_unit_test(a_fill_stays_in_its_box_and_in_the_clip),
        cmocka_unit_test(round_shapes_have_the_right_area),
        cmocka_unit_test(a_ring_is_a_shape_without_its_inside),
        cmocka_unit_test(line_has_the_given_length_and_width),
        cmocka_unit_test(a_shadow_fades_outwards),
        cmocka_unit_test(a_gradient_goes_from_one_colour_to_the_other),
        cmocka_unit_test(a_picture_is_scaled_to_its_box),
        cmocka_unit_test(shapes_outside_or_inverted_are_harmless),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
