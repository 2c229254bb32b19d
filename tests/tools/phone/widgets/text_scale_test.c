/* Sizes of texts at font scales, as on Android 14. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tools/phone/widgets/text_scale.h"

#define EPSILON 0.01F

static void small_texts_grow_by_the_scale(void **state)
{
    (void)state;
    assert_float_equal(text_scale_apply(12, 2), 24, EPSILON);
    assert_float_equal(text_scale_apply(6, 2), 12, EPSILON);
    assert_float_equal(text_scale_apply(12, 1.3F), 15.6F, EPSILON);
}

static void large_texts_grow_less(void **state)
{
    (void)state;
    assert_float_equal(text_scale_apply(16, 2), 28, EPSILON);
    assert_float_equal(text_scale_apply(30, 2), 38, EPSILON);
    assert_float_equal(text_scale_apply(65, 2), 69, EPSILON);
    assert_float_equal(text_scale_apply(120, 2), 120, EPSILON);
}

static void scales_between_two_curves_are_interpolated(void **state)
{
    (void)state;
    assert_float_equal(text_scale_apply(20, 1.4F), 24.8F, EPSILON);
    assert_float_equal(text_scale_apply(24, 1.9F), 34.4F, EPSILON);
}

static void other_scales_are_linear(void **state)
{
    (void)state;
    assert_float_equal(text_scale_apply(24, 1), 24, EPSILON);
    assert_float_equal(text_scale_apply(24, 0.85F), 20.4F, EPSILON);
    assert_float_equal(text_scale_apply(24, 3), 72, EPSILON);
}

static void a_larger_text_stays_larger(void **state)
{
    (void)state;
    for (int percent = 100; percent <= 200; percent += 5) {
        float scale = (float)percent / 100;

        for (int size = 4; size < 130; size++)
            assert_true(text_scale_apply((float)size, scale) <
                        text_scale_apply((float)size + 1, scale));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_texts_grow_by_the_scale),
        cmocka_unit_test(large_texts_grow_less),
        cmocka_unit_test(scales_between_two_curves_are_interpolated),
        cmocka_unit_test(other_scales_are_linear),
        cmocka_unit_test(a_larger_text_stays_larger),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
