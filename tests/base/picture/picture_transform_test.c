#include "base/picture/picture_transform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Pixels numbered from 1, row by row. */
static void number(struct picture *picture, uint32_t width, uint32_t height)
{
    struct err err = ERR_INIT;

    assert_true(picture_resize(picture, width, height, &err));
    memset(picture->pixels, 0, picture->stride * height);
    for (uint32_t i = 0; i < width * height; i++)
        picture->pixels[(size_t)i * PICTURE_PIXEL] = (uint8_t)(i + 1);
}

/* The numbers of all pixels, as text. */
static void assert_numbers(const struct picture *picture, uint32_t width,
                           const char *numbers)
{
    assert_int_equal(picture->width, width);
    assert_int_equal(picture->height, strlen(numbers) / width);
    for (uint32_t i = 0; numbers[i]; i++)
        assert_int_equal(picture->pixels[(size_t)i * PICTURE_PIXEL],
                         numbers[i] - '0');
}

static void rotation_is_clockwise(void **state)
{
    static const char *const turned[4] = {"123456", "415263", "654321",
                                          "362514"};
    struct picture from = PICTURE_INIT;
    struct picture to = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    number(&from, 3, 2);
    for (int quarters = -4; quarters < 8; quarters++) {
        assert_true(picture_rotate(&from, quarters, &to, &err));
        assert_numbers(&to, quarters % 2 ? 2 : 3, turned[(quarters + 8) % 4]);
    }
    picture_release(&from);
    picture_release(&to);
}

static void flips_mirror_both_ways(void **state)
{
    struct picture from = PICTURE_INIT;
    struct picture to = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    number(&from, 3, 2);
    assert_true(picture_flip(&from, FLIP_SIDES, &to, &err));
    assert_numbers(&to, 3, "321654");
    assert_true(picture_flip(&from, FLIP_ENDS, &to, &err));
    assert_numbers(&to, 3, "456123");
    picture_release(&from);
    picture_release(&to);
}

static void crop_is_limited_to_the_picture(void **state)
{
    struct picture from = PICTURE_INIT;
    struct picture to = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    number(&from, 3, 3);
    assert_true(picture_crop(&from, (struct box){1, 1, 3, 3}, &to, &err));
    assert_numbers(&to, 2, "5689");
    assert_true(picture_crop(&from, (struct box){-5, 2, 2, 50}, &to, &err));
    assert_numbers(&to, 2, "78");
    assert_false(picture_crop(&from, (struct box){3, 0, 9, 3}, &to, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_numbers(&to, 2, "78");
    picture_release(&from);
    picture_release(&to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotation_is_clockwise),
        cmocka_unit_test(flips_mirror_both_ways),
        cmocka_unit_test(crop_is_limited_to_the_picture),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
