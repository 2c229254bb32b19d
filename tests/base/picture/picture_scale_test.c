#include "base/picture/picture_scale.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

static void make(struct picture *picture, uint32_t width, uint32_t height)
{
    struct err err = ERR_INIT;

    assert_true(picture_resize(picture, width, height, &err));
    memset(picture->pixels, 0xff, picture->stride * height);
}

static uint8_t *at(const struct picture *picture, uint32_t x, uint32_t y)
{
    return picture_row(picture, y) + (size_t)x * PICTURE_PIXEL;
}

static void one_colour_stays_that_colour(void **state)
{
    static const uint32_t sizes[][2] = {{1, 1}, {7, 3}, {50, 20}, {331, 97}};
    struct picture from = PICTURE_INIT;
    struct picture to = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    make(&from, 50, 20);
    for (size_t i = 0; i < (size_t)50 * 20; i++)
        memcpy(from.pixels + 4 * i, "\x12\x80\xfe\xff", 4);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        assert_true(picture_scale(&from, sizes[i][0], sizes[i][1], &to, &err));
        assert_int_equal(to.width, sizes[i][0]);
        assert_int_equal(to.height, sizes[i][1]);
        for (size_t k = 0; k < (size_t)to.width * to.height; k++)
            assert_memory_equal(to.pixels + 4 * k, "\x12\x80\xfe\xff", 4);
    }
    picture_release(&from);
    picture_release(&to);
}

static void the_same_size_is_the_same_picture(void **state)
{
    struct picture from = PICTURE_INIT;
    struct picture to = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    make(&from, 33, 21);
    for (size_t i = 0; i < from.stride * from.height; i++)
        from.pixels[i] = i % 4 == 3 ? 0xff : (uint8_t)(i * 89);
    assert_true(picture_scale(&from, 33, 21, &to, &err));
    assert_memory_equal(to.pixels, from.pixels, from.stride * from.height);
    picture_release(&from);
    picture_release(&to);
}

static void fine_lines_become_their_mean(void **state)
{
    struct picture from = PICTURE_INIT;
    struct picture to = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    make(&from, 200, 200);
    for (uint32_t i = 0; i < 200 * 200; i++) {
        if (i / 200 % 2)
            memcpy(at(&from, i % 200, i / 200), "\0\0\0\xff", 4);
    }
    assert_true(picture_scale(&from, 50, 50, &to, &err));
    for (uint32_t y = 5; y < 45; y++)
        assert_in_range(at(&to, 25, y)[0], 124, 131);
    picture_release(&from);
    picture_release(&to);
}

static void transparent_pixels_do_not_change_colours(void **state)
{
    struct picture from = PICTURE_INIT;
    struct picture to = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    make(&from, 40, 40);
    for (uint32_t y = 0; y < 40; y++) {
        for (uint32_t x = 0; x < 40; x++)
            memcpy(at(&from, x, y),
                   x % 2 ? "\xff\x00\x00\xff" : "\x00\xff\x00\x00", 4);
    }
    assert_true(picture_scale(&from, 10, 10, &to, &err));
    assert_int_equal(at(&to, 5, 5)[0], 255);
    assert_int_equal(at(&to, 5, 5)[1], 0);
    assert_in_range(at(&to, 5, 5)[3], 124, 131);
    picture_release(&from);
    picture_release(&to);
}

static void shrinking_keeps_the_shape_and_never_grows(void **state)
{
    struct picture from = PICTURE_INIT;
    struct picture to = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    make(&from, 108, 240);
    assert_true(picture_shrink(&from, 120, 120, &to, &err));
    assert_int_equal(to.width, 54);
    assert_int_equal(to.height, 120);
    assert_true(picture_shrink(&from, 1000, 1000, &to, &err));
    assert_int_equal(to.width, 108);
    assert_true(picture_shrink(&from, 1, 1, &to, &err));
    assert_int_equal(to.width, 1);
    assert_int_equal(to.height, 1);
    picture_release(&from);
    picture_release(&to);
}

static void a_size_too_large_is_refused(void **state)
{
    struct picture from = PICTURE_INIT;
    struct picture to = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    make(&from, 2, 2);
    assert_false(picture_scale(&from, 100000, 2, &to, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_null(to.pixels);
    picture_release(&from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_colour_stays_that_colour),
        cmocka_unit_test(the_same_size_is_the_same_picture),
        cmocka_unit_test(fine_lines_become_their_mean),
        cmocka_unit_test(transparent_pixels_do_not_change_colours),
        cmocka_unit_test(shrinking_keeps_the_shape_and_never_grows),
        cmocka_unit_test(a_size_too_large_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
