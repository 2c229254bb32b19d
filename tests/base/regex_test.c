#include "base/regex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"

static struct regex *open_pattern(const char *text, unsigned flags)
{
    struct regex *pattern = NULL;
    struct err err = ERR_INIT;

    if (!regex_open(text, flags, &pattern, &err))
        fail_msg("%s: %s", text, err.text);
    return pattern;
}

static bool matches(const char *text, unsigned flags, const char *in)
{
    struct regex *pattern = open_pattern(text, flags);
    bool found = regex_matches(pattern, in);

    assert_false(regex_gave_up(pattern));
    regex_close(pattern);
    return found;
}

static void match_has_its_position(void **state)
{
    struct regex *pattern = open_pattern("[0-9]+", 0);
    size_t begin = 0;
    size_t end = 0;

    (void)state;
    assert_true(regex_find(pattern, "abc 123 x", 9, &begin, &end));
    assert_int_equal(begin, 4);
    assert_int_equal(end, 7);
    assert_false(regex_find(pattern, "abc 123", 4, &begin, &end));
    regex_close(pattern);
}

static void flags_select_bytes_or_characters(void **state)
{
    (void)state;
    assert_true(matches("sort.*PRICE", REGEX_CASELESS, "Sort by price"));
    assert_false(matches("sort.*PRICE", 0, "Sort by price"));
    assert_true(matches("É", REGEX_CASELESS, "café é"));
    assert_true(matches("^.{2}$", 0, "价格"));
    assert_false(matches("^.{2}$", REGEX_BYTES, "价格"));
    assert_true(matches("^\\w+$", 0, "价格"));
    assert_true(matches("a.b", REGEX_LITERAL, "xa.bx"));
    assert_false(matches("a.b", REGEX_LITERAL, "axb"));
    assert_false(matches("a$", 0, "a\n"));
}

static void invalid_utf8_is_harmless(void **state)
{
    (void)state;
    assert_true(matches("b", 0,
                        "a\xff\xfe"
                        "b"));
    assert_false(matches("^.+$", 0, "a\xff"));
}

static void bad_pattern_is_reported_with_its_position(void **state)
{
    struct regex *pattern = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(regex_open("ab(c", 0, &pattern, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_string_equal(err.text,
                        "bad pattern: missing closing parenthesis at byte 4");
    assert_false(regex_open("\xff", 0, &pattern, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_null(pattern);
}

static void too_large_pattern_is_refused(void **state)
{
    struct regex *pattern = NULL;
    struct err err = ERR_INIT;
    char *deep = mem_new(PATTERN_MAX + 2, 1);

    (void)state;
    memset(deep, '(', 100);
    memset(deep + 100, ')', 100);
    assert_false(regex_open(deep, 0, &pattern, &err));
    assert_int_equal(err.code, ERR_INVALID);
    memset(deep, 'a', PATTERN_MAX + 1);
    assert_false(regex_open(deep, 0, &pattern, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    free(deep);
}

static void match_that_takes_too_long_fails(void **state)
{
    struct regex *pattern = open_pattern("^(a+)+$", 0);

    (void)state;
    assert_false(
        regex_matches(pattern, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"));
    assert_true(regex_gave_up(pattern));
    assert_true(regex_matches(pattern, "aaa"));
    assert_false(regex_gave_up(pattern));
    regex_close(pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(match_has_its_position),
        cmocka_unit_test(flags_select_bytes_or_characters),
        cmocka_unit_test(invalid_utf8_is_harmless),
        cmocka_unit_test(bad_pattern_is_reported_with_its_position),
        cmocka_unit_test(too_large_pattern_is_refused),
        cmocka_unit_test(match_that_takes_too_long_fails),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
