#include "judge/rules/answer_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/macros.h"

static char lamp[] = "Zenvo Lamp";
static char chinese[] = "台灯";
static char pattern[] = "^(yes|no)$";
static char broken[] = "(";

static const char *right_of(const struct task_answer *answer, const char *said)
{
    struct err err;
    bool right = false;

    assert_true(answer_check(answer, said, &right, &err));
    return right ? "right" : "wrong";
}

static void exact_answers_may_differ_in_case_and_blanks(void **state)
{
    static const struct {
        const char *said;
        const char *is;
    } cases[] = {
        {"Zenvo Lamp", "right"},
        {"zenvo  lamp", "right"},
        {" \"Zenvo Lamp.\" ", "right"},
        {"ZenvoLamp", "right"},
        {"台灯", "right"},
        {"台灯。", "right"},
        {"Ｚｅｎｖｏ　Lamp", "right"},
        {"Zenvo Lamp 2", "wrong"},
        {"the Zenvo Lamp", "wrong"},
        {"", "wrong"},
        {"灯", "wrong"},
    };
    char *values[] = {lamp, chinese};
    const struct task_answer answer = {.kind = TASK_ANSWER_EXACT,
                                       .values = {values, 2}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(right_of(&answer, cases[i].said), cases[i].is);
}

static void numbers_with_separators_and_units_are_read(void **state)
{
    static const struct {
        const char *said;
        double wanted;
        double tolerance;
        const char *is;
    } cases[] = {
        {"12.5", 12.5, 0, "right"},
        {"$12.50", 12.5, 0, "right"},
        {"The total is 1,234.50 dollars.", 1234.5, 0, "right"},
        {"12,345,678", 12345678, 0, "right"},
        {"19,99 €", 19.99, 0, "right"},
        {"１２．５", 12.5, 0, "right"},
        {"¥88", 88, 0, "right"},
        {"-3 °C", -3, 0, "right"},
        {"−3", -3, 0, "right"},
        {"room-3", 3, 0, "right"},
        {"3", -3, 0, "wrong"},
        {"12.4", 12.5, 0.1, "right"},
        {"12.3", 12.5, 0.1, "wrong"},
        {"12.5, that is 12.50", 12.5, 0, "right"},
        {"12.5 or 13", 12.5, 0, "wrong"},
        {"13 or 12.5", 12.5, 0, "wrong"},
        {"twelve", 12, 0, "wrong"},
        {"", 0, 0, "wrong"},
        {"1,23,456", 123456, 0, "wrong"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct task_answer answer = {.kind = TASK_ANSWER_NUMBER,
                                           .number = cases[i].wanted,
                                           .tolerance =
                                               cases[i].tolerance + 1e-9};

        if (right_of(&answer, cases[i].said)[0] != cases[i].is[0])
            fail_msg("'%s' is not %s", cases[i].said, cases[i].is);
    }
}

static void patterns_ignore_case(void **state)
{
    const struct task_answer answer = {.kind = TASK_ANSWER_PATTERN,
                                       .pattern = pattern};

    (void)state;
    assert_string_equal(right_of(&answer, "YES"), "right");
    assert_string_equal(right_of(&answer, "yes, it is"), "wrong");
}

static void invalid_pattern_is_an_error(void **state)
{
    const struct task_answer answer = {.kind = TASK_ANSWER_PATTERN,
                                       .pattern = broken};
    struct err err;
    bool right;

    (void)state;
    assert_false(answer_check(&answer, "x", &right, &err));
    assert_int_equal(err.code, ERR_INVALID);
}

static void expect_pattern(const char *given, const char *expected)
{
    char own[64];
    const struct task_answer answer = {.kind = TASK_ANSWER_PATTERN,
                                       .pattern = own};
    char text[64];

    snprintf(own, sizeof(own), "%s", given);
    answer_describe(&answer, text, sizeof(text));
    assert_string_equal(text, expected);
}

static void reason_has_the_expected_answer(void **state)
{
    char *values[] = {lamp, chinese};
    const struct task_answer exact = {.kind = TASK_ANSWER_EXACT,
                                      .values = {values, 2}};
    const struct task_answer number = {
        .kind = TASK_ANSWER_NUMBER, .number = 2.5, .tolerance = 0.5};
    char text[64];

    (void)state;
    answer_describe(&exact, text, sizeof(text));
    assert_string_equal(text, "'Zenvo Lamp' or '台灯'");
    answer_describe(&number, text, sizeof(text));
    assert_string_equal(text, "2.5 ± 0.5");
    expect_pattern("Ann\\ Lee\\-Fox 女", "one with 'Ann Lee-Fox 女'");
    expect_pattern("Ann.*", "like /Ann.*/");
    expect_pattern("\\d+", "like /\\d+/");
    expect_pattern("Ann\\", "like /Ann\\/");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_answers_may_differ_in_case_and_blanks),
        cmocka_unit_test(numbers_with_separators_and_units_are_read),
        cmocka_unit_test(patterns_ignore_case),
        cmocka_unit_test(invalid_pattern_is_an_error),
        cmocka_unit_test(reason_has_the_expected_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
