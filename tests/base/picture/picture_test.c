#include "base/picture/picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void each_format_becomes_rgba(void **state)
{
    static const struct {
        uint32_t format;
        size_t length;
        uint8_t bytes[8];
        uint8_t rgba[8];
    } rows[] = {
        {PIXEL_RGBA_8888,
         8,
         {1, 2, 3, 4, 5, 6, 7, 8},
         {1, 2, 3, 4, 5, 6, 7, 8}},
        {PIXEL_RGBX_8888,
         8,
         {1, 2, 3, 0, 5, 6, 7, 9},
         {1, 2, 3, 255, 5, 6, 7, 255}},
        {PIXEL_RGB_888, 6, {1, 2, 3, 4, 5, 6}, {1, 2, 3, 255, 4, 5, 6, 255}},
        {PIXEL_RGB_565,
         4,
         {0xff, 0xff, 0, 0},
         {255, 255, 255, 255, 0, 0, 0, 255}},
        {PIXEL_RGB_565,
         4,
         {0x00, 0xf8, 0xe0, 0x07}, /* red, green */
         {255, 0, 0, 255, 0, 255, 0, 255}},
        {PIXEL_RGB_565,
         4,
         {0x1f, 0x00, 0x10, 0x84}, /* blue, grey */
         {0, 0, 255, 255, 132, 130, 132, 255}},
        {PIXEL_BGRA_8888,
         8,
         {1, 2, 3, 4, 5, 6, 7, 8},
         {3, 2, 1, 4, 7, 6, 5, 8}},
    };
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        assert_int_equal(pixel_size(rows[i].format), rows[i].length / 2);
        assert_true(picture_set(&picture, rows[i].format, 1, 2, rows[i].bytes,
                                rows[i].length, &err));
        assert_int_equal(picture.width, 1);
        assert_int_equal(picture.height, 2);
        assert_memory_equal(picture.pixels, rows[i].rgba, 8);
        assert_memory_equal(picture_row(&picture, 1), rows[i].rgba + 4, 4);
    }
    picture_release(&picture);
}

static void inconsistent_sizes_are_refused(void **state)
{
    static const uint8_t bytes[16];
    static const struct {
        uint32_t format, width, height;
        size_t length;
        enum err_code code;
        const char *why;
    } rows[] = {
        {0, 1, 1, 4, ERR_UNSUPPORTED, "unknown pixel format 0"},
        {22, 1, 1, 8, ERR_UNSUPPORTED, "unknown pixel format 22"},
        {1, 2, 2, 15, ERR_INVALID, "15 bytes for 2x2 pixels, expected 16"},
        {3, 2, 2, 13, ERR_INVALID, "13 bytes for 2x2 pixels, expected 12"},
        {1, 0, 2, 0, ERR_INVALID, "a picture of 0x2 pixels"},
        {1, 2, 0, 0, ERR_INVALID, "a picture of 2x0 pixels"},
        {1, UINT32_MAX, UINT32_MAX, 4, ERR_LIMIT,
         "a picture of 4294967295x4294967295 pixels is too large"},
        {1, 0x80000000, 0x80000000, 0, ERR_LIMIT,
         "a picture of 2147483648x2147483648 pixels is too large"},
    };
    struct picture picture = PICTURE_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct err err = ERR_INIT;

        assert_false(picture_set(&picture, rows[i].format, rows[i].width,
                                 rows[i].height, bytes, rows[i].length, &err));
        assert_int_equal(err.code, rows[i].code);
        assert_string_equal(err.text, rows[i].why);
        assert_null(picture.pixels);
    }
}

static void sides_and_bytes_are_bounded(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    assert_true(picture_check(PICTURE_SIDE_MAX, 4096, &err));
    assert_false(picture_check(PICTURE_SIDE_MAX, 4097, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_true(picture_check(1, PICTURE_SIDE_MAX, &err));
    assert_false(picture_check(1, PICTURE_SIDE_MAX + 1, &err));
    assert_false(picture_check(PICTURE_SIDE_MAX + 1, 1, &err));
}

static void memory_is_reused(void **state)
{
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;
    uint8_t *pixels;

    (void)state;
    assert_true(picture_resize(&picture, 100, 10, &err));
    pixels = picture.pixels;
    assert_true(picture_resize(&picture, 3, 5, &err));
    assert_ptr_equal(picture.pixels, pixels);
    assert_int_equal(picture.stride, 12);
    assert_true(picture_resize(&picture, 10, 100, &err));
    assert_ptr_equal(picture.pixels, pixels);
    memset(picture.pixels, 1, picture.stride * picture.height);
    picture_release(&picture);
    picture_release(&picture);
}

static void refused_size_leaves_the_picture_unchanged(void **state)
{
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(picture_resize(&picture, 2, 3, &err));
    assert_false(picture_resize(&picture, 0, 3, &err));
    assert_int_equal(picture.width, 2);
    assert_int_equal(picture.height, 3);
    picture_release(&picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_format_becomes_rgba),
        cmocka_unit_test(inconsistent_sizes_are_refused),
        cmocka_unit_test(sides_and_bytes_are_bounded),
        cmocka_unit_test(memory_is_reused),
        cmocka_unit_test(refused_size_leaves_the_picture_unchanged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
