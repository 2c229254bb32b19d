#include "base/pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"

static struct pattern *open_pattern(const char *text, unsigned flags)
{
    struct pattern *pattern = NULL;
    struct err err = ERR_INIT;

    if (!pattern_open(text, flags, &pattern, &err))
        fail_msg("%s: %s", text, err.text);
    return pattern;
}

static bool matches(const char *text, unsigned flags, const char *in)
{
    struct pattern *pattern = open_pattern(text, flags);
    bool found = pattern_matches(pattern, in);

    assert_false(pattern_gave_up(pattern));
    pattern_close(pattern);
    return found;
}

static void a_match_is_told_with_its_place(void **state)
{
    struct pattern *pattern = open_pattern("[0-9]+", 0);
    size_t begin = 0;
    size_t end = 0;

    (void)state;
    assert_true(pattern_find(pattern, "abc 123 x", 9, &begin, &end));
    assert_int_equal(begin, 4);
    assert_int_equal(end, 7);
    assert_false(pattern_find(pattern, "abc 123", 4, &begin, &end));
    pattern_close(pattern);
}

static void flags_say_what_a_character_is(void **state)
{
    (void)state;
    assert_true(matches("sort.*PRICE", PATTERN_CASELESS, "Sort by price"));
    assert_false(matches("sort.*PRICE", 0, "Sort by price"));
    assert_true(matches("É", PATTERN_CASELESS, "café é"));
    assert_true(matches("^.{2}$", 0, "价格"));
    assert_false(matches("^.{2}$", PATTERN_BYTES, "价格"));
    assert_true(matches("^\\w+$", 0, "价格"));
    assert_true(matches("a.b", PATTERN_LITERAL, "xa.bx"));
    assert_false(matches("a.b", PATTERN_LITERAL, "axb"));
    assert_false(matches("a$", 0, "a\n"));
}

static void bytes_that_are_no_text_do_no_harm(void **state)
{
    (void)state;
    assert_true(matches("b", 0,
                        "a\xff\xfe"
                        "b"));
    assert_false(matches("^.+$", 0, "a\xff"));
}

static void a_bad_pattern_is_told_with_its_place(void **state)
{
    struct pattern *pattern = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(pattern_open("ab(c", 0, &pattern, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_string_equal(err.text,
                        "bad pattern: missing closing parenthesis at byte 4");
    assert_false(pattern_open("\xff", 0, &pattern, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_null(pattern);
}

static void what_is_too_large_is_refused(void **state)
{
    struct pattern *pattern = NULL;
    struct err err = ERR_INIT;
    char *deep = mem_new(PATTERN_MAX + 2, 1);

    (void)state;
    memset(deep, '(', 100);
    memset(deep + 100, ')', 100);
    assert_false(pattern_open(deep, 0, &pattern, &err));
    assert_int_equal(err.code, ERR_INVALID);
    memset(deep, 'a', PATTERN_MAX + 1);
    assert_false(pattern_open(deep, 0, &pattern, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    free(deep);
}

static void what_takes_too_long_is_given_up(void **state)
{
    struct pattern *pattern = open_pattern("^(a+)+$", 0);

    (void)state;
    assert_false(
        pattern_matches(pattern, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"));
    assert_true(pattern_gave_up(pattern));
    assert_true(pattern_matches(pattern, "aaa"));
    assert_false(pattern_gave_up(pattern));
    pattern_close(pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_is_told_with_its_place),
        cmocka_unit_test(flags_say_what_a_character_is),
        cmocka_unit_test(bytes_that_are_no_text_do_no_harm),
        cmocka_unit_test(a_bad_pattern_is_told_with_its_place),
        cmocka_unit_test(what_is_too_large_is_refused),
        cmocka_unit_test(what_takes_too_long_is_given_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
