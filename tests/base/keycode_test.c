#include "base/keycode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void keys_have_numbers_and_names(void **state)
{
    static const struct {
        const char *text;
        int code;
    } cases[] = {
        {"3", 3},
        {"HOME", 3},
        {"KEYCODE_HOME", 3},
        {"keycode_back", 4},
        {"0x42", 66},
        {"ENTER", 66},
        {"KEYCODE_0", 7},
        {"0", 0}, /* a key code, not the key of a digit */
        {"9", 9},
        {"a", 29},
        {"KEYCODE_Z", 54},
        {"APP_SWITCH", 187},
        {"WAKEUP", 224},
        {"316", 316},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int code = -1;

        assert_true(keycode_parse(cases[i].text, &code));
        assert_int_equal(code, cases[i].code);
    }
}

static void unknown_keys_are_refused(void **state)
{
    static const char *const texts[] = {"",    "KEYCODE_", "NOPE", "-1",
                                        "317", "3x",       "é"};
    int code = -1;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        assert_false(keycode_parse(texts[i], &code));
    assert_int_equal(code, -1);
}

static void keys_type_their_characters(void **state)
{
    (void)state;
    assert_int_equal(keycode_character(7), '0');
    assert_int_equal(keycode_character(16), '9');
    assert_int_equal(keycode_character(29), 'a');
    assert_int_equal(keycode_character(54), 'z');
    assert_int_equal(keycode_character(62), ' ');
    assert_int_equal(keycode_character(56), '.');
    assert_int_equal(keycode_character(KEY_HOME), 0);
    assert_int_equal(keycode_character(-5), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_have_numbers_and_names),
        cmocka_unit_test(unknown_keys_are_refused),
        cmocka_unit_test(keys_type_their_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
