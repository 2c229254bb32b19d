#include "base/key_press.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void keys_are_read_and_written(void **state)
{
    static const struct {
        const char *text;
        size_t count;
        int times;
        int first;
        const char *again;
    } cases[] = {
        {"VOLUME_UP", 1, 1, 24, "VOLUME_UP"},
        {"KEYCODE_DEL*3", 1, 3, 67, "DEL*3"},
        {"CTRL_LEFT+A", 2, 1, 113, "CTRL_LEFT+A"},
        {"113+59+29", 3, 1, 113, "CTRL_LEFT+SHIFT_LEFT+A"},
        {"300", 1, 1, 300, "300"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct key_press press;
        struct err err = ERR_INIT;
        char text[KEY_PRESS_TEXT_MAX];

        assert_true(key_press_parse(cases[i].text, &press, &err));
        assert_int_equal(press.count, cases[i].count);
        assert_int_equal(press.times, cases[i].times);
        assert_int_equal(press.codes[0], cases[i].first);
        key_press_text(&press, text);
        assert_string_equal(text, cases[i].again);
    }
}

static void other_texts_are_refused(void **state)
{
    static const char *const texts[] = {
        "",         "+",     "A+",       "NOPE",      "DEL*0",   "DEL*",
        "DEL*9999", "A+B*2", "A;reboot", "A+B+C+D+E", "DEL*3;id"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct key_press press = {.times = -1};
        struct err err = ERR_INIT;

        assert_false(key_press_parse(texts[i], &press, &err));
        assert_int_equal(err.code, ERR_INVALID);
        assert_int_equal(press.times, -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_read_and_written),
        cmocka_unit_test(other_texts_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
