#include "runner/observe/element_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

/* Elements of a settings screen, and whether they are clickable. */
static const struct {
    const char *name;
    bool acts;
} things[] = {
    {"Display", false},     /* 1: the heading */
    {"Display", true},      /* 2 */
    {"Display size", true}, /* 3 */
    {"Battery", true},      /* 4 */
    {"Wi-Fi", true},        /* 5 */
    {"wi-fi", true},        /* 6 */
    {"显示设置", true},     /* 7 */
    {"", true},             /* 8: unnamed */
    {"Version 14", false},  /* 9 */
    {"Dark theme", true},   /* 10: the row */
    {"Dark theme", true},   /* 11: the switch in it */
};

static struct screen_element items[ARRAY_LEN(things)];
static const struct element_list elements = {items, ARRAY_LEN(things)};

static int fill(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(things); i++) {
        snprintf(items[i].name.text, sizeof(items[i].name.text), "%s",
                 things[i].name);
        items[i].acts = things[i].acts;
        items[i].box = (struct box){0, 100 * (int)i, 1000, 100 * (int)i + 100};
    }
    items[10].box = (struct box){800, 920, 980, 980};
    return 0;
}

static void a_name_finds_its_element(void **state)
{
    static const struct {
        const char *name;
        int number;
    } cases[] = {
        {"Display", 2}, {"display", 2}, {"display s", 3},
        {"BATT", 4},    {"size", 3},    {"显示设置", 7},
        {"设置", 7},    {"version", 9}, {"dark theme", 10},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int number = 0;
        struct err err = ERR_INIT;

        if (!element_list_find(&elements, cases[i].name, &number, &err))
            fail_msg("%s: %s", cases[i].name, err.text);
        assert_int_equal(number, cases[i].number);
    }
}

static void unknown_name_is_reported_with_similar_ones(void **state)
{
    int number = -1;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(element_list_find(&elements, "Batery", &number, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "did you mean \"Battery\"?"));
    assert_false(element_list_find(&elements, "", &number, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_int_equal(number, -1);
}

static void ambiguous_name_is_reported_with_the_numbers(void **state)
{
    int number = -1;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(element_list_find(&elements, "WI-FI", &number, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_non_null(strstr(err.text, "numbers 5, 6"));
    assert_int_equal(number, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_finds_its_element),
        cmocka_unit_test(unknown_name_is_reported_with_similar_ones),
        cmocka_unit_test(ambiguous_name_is_reported_with_the_numbers),
    };

    return cmocka_run_group_tests_name("element_list", tests, fill, NULL);
}
