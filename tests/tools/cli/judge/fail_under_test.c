#include "tools/cli/judge/fail_under.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

static void percentages_and_names_are_read(void **state)
{
    static const struct {
        const char *text;
        const char *name;
        double percent;
    } cases[] = {
        {"90", "", 90},
        {"0", "", 0},
        {"99.5%", "", 99.5},
        {"hand=99", "hand", 99},
        {"openai:a=b=100%", "openai:a=b", 100},
    };
    struct fail_under limit;
    struct err err;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_true(fail_under_parse(cases[i].text, &limit, &err));
        assert_string_equal(limit.name, cases[i].name);
        assert_true(limit.percent == cases[i].percent);
    }
}

static void invalid_values_are_refused(void **state)
{
    static const char *const texts[] = {
        "",    "x",     "-1",  "101", "90x",   "90%%",
        "=90", "hand=", "nan", "inf", "a=-0.1"};
    struct fail_under limit = {.name = "as it was", .percent = 5};
    struct err err;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        assert_false(fail_under_parse(texts[i], &limit, &err));
        assert_int_equal(err.code, ERR_INVALID);
        assert_non_null(strstr(err.text, "--fail-under"));
        assert_string_equal(limit.name, "as it was");
        assert_true(limit.percent == 5);
    }
}

static void a_name_that_is_too_long_is_refused(void **state)
{
    char text[FAIL_UNDER_NAME_MAX + 8];
    struct fail_under limit;
    struct err err;

    (void)state;
    memset(text, 'a', FAIL_UNDER_NAME_MAX);
    memcpy(text + FAIL_UNDER_NAME_MAX, "=90", sizeof("=90"));
    assert_false(fail_under_parse(text, &limit, &err));
    memcpy(text + FAIL_UNDER_NAME_MAX - 1, "=90", sizeof("=90"));
    assert_true(fail_under_parse(text, &limit, &err));
}

static void a_rate_reaches_its_own_percentage(void **state)
{
    (void)state;
    for (int i = 0; i <= 100; i++) {
        const struct fail_under limit = {.percent = i};

        assert_true(fail_under_reached(&limit, i / 100.0));
        assert_false(fail_under_reached(&limit, (i - 0.001) / 100.0));
        assert_false(fail_under_reached(&limit, NAN));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentages_and_names_are_read),
        cmocka_unit_test(invalid_values_are_refused),
        cmocka_unit_test(a_name_that_is_too_long_is_refused),
        cmocka_unit_test(a_rate_reaches_its_own_percentage),
    };

    return cmocka_run_group_tests_name("fail_under", tests, NULL, NULL);
}
