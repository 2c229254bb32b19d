#include "base/err.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void setting_an_error_returns_false(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    assert_false(err_set(&err, ERR_TIMEOUT, "after %d ms", 5));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_string_equal(err.text, "after 5 ms");
    assert_false(err_wrap(&err, "reading"));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_string_equal(err.text, "reading: after 5 ms");
    assert_false(err_errno(&err, EPIPE, "writing to \"%s\"", "x"));
    assert_string_equal(err.text, "writing to \"x\": Broken pipe");
}

static void an_errno_has_its_code(void **state)
{
    static const struct {
        int number;
        enum err_code code;
    } rows[] = {
        {ENOSPC, ERR_NO_SPACE},  {EDQUOT, ERR_NO_SPACE},
        {ENOENT, ERR_NOT_FOUND}, {ENOTDIR, ERR_NOT_FOUND},
        {EIO, ERR_IO},           {EACCES, ERR_IO},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct err err = ERR_INIT;

        assert_false(err_errno(&err, rows[i].number, "x"));
        assert_int_equal(err.code, rows[i].code);
    }
}

static void long_texts_are_cut(void **state)
{
    char word[300];
    struct err err = ERR_INIT;

    (void)state;
    memset(word, 'w', sizeof(word) - 1);
    word[sizeof(word) - 1] = '\0';
    assert_false(err_set(&err, ERR_IO, "%s", word));
    assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
    assert_false(err_set(&err, ERR_IO, "the reason"));
    assert_false(err_wrap(&err, "%.250s", word));
    assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
    assert_string_equal(err.text + 250, ": the");
    assert_false(err_wrap(&err, "%s", word));
    assert_int_equal(err.text[254], 'w');
}

static void old_text_may_be_an_argument_of_the_new(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    assert_false(err_set(&err, ERR_IO, "why"));
    assert_false(err_set(&err, ERR_LOST, "lost because: %s", err.text));
    assert_string_equal(err.text, "lost because: why");
    assert_false(err_wrap(&err, "<%s>", err.text));
    assert_string_equal(err.text, "<lost because: why>: lost because: why");
}

static void every_code_has_a_unique_name(void **state)
{
    (void)state;
    for (int a = ERR_NONE; a <= ERR_UNSUPPORTED; a++) {
        assert_string_not_equal(err_code_name((enum err_code)a), "unknown");
        for (int b = ERR_NONE; b < a; b++)
            assert_string_not_equal(err_code_name((enum err_code)a),
                                    err_code_name((enum err_code)b));
    }
    assert_string_equal(err_code_name((enum err_code)999), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting_an_error_returns_false),
        cmocka_unit_test(an_errno_has_its_code),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(old_text_may_be_an_argument_of_the_new),
        cmocka_unit_test(every_code_has_a_unique_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
