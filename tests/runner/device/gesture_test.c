#include "runner/device/gesture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "runner/device/app_name.h"
#include "runner/device/type_text.h"

static const struct extent screen = {1080, 2400};

static void direction_becomes_a_swipe_away_from_the_edges(void **state)
{
    static const struct {
        struct action action;
        struct gesture way;
    } cases[] = {
        {{.kind = ACTION_SCROLL, .direction = DIRECTION_DOWN},
         {{540, 1800}, {540, 600}, 600}},
        {{.kind = ACTION_SWIPE, .direction = DIRECTION_DOWN},
         {{540, 600}, {540, 1800}, 300}},
        {{.kind = ACTION_SCROLL, .direction = DIRECTION_RIGHT},
         {{810, 1200}, {270, 1200}, 600}},
        {{.kind = ACTION_SWIPE,
          .direction = DIRECTION_UP,
          .has_from = true,
          .from = {100, 2390}},
         {{100, 2199}, {100, 999}, 300}},
        {{.kind = ACTION_SWIPE,
          .direction = DIRECTION_RIGHT,
          .has_from = true,
          .from = {3, 700}},
         {{90, 700}, {630, 700}, 300}},
        {{.kind = ACTION_SCROLL,
          .direction = DIRECTION_DOWN,
          .has_from = true,
          .from = {540, 1900}},
         {{540, 1900}, {540, 700}, 600}},
        {{.kind = ACTION_SWIPE,
          .has_from = true,
          .from = {1, 2},
          .has_to = true,
          .to = {3, 4},
          .milliseconds = 77},
         {{1, 2}, {3, 4}, 77}},
    };
    struct gesture way;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_true(gesture_resolve(&cases[i].action, screen, &way));
        if (memcmp(&way, &cases[i].way, sizeof(way)) != 0)
            fail_msg("%zu: %d,%d to %d,%d in %d", i, way.from.x, way.from.y,
                     way.to.x, way.to.y, way.milliseconds);
    }
    assert_false(
        gesture_resolve(&(struct action){.kind = ACTION_SWIPE}, screen, &way));
}

static void text_is_split_where_input_would_insert_a_blank(void **state)
{
    static const struct {
        const char *text;
        int sdk;
        const char *commands; /* one a line */
    } cases[] = {
        {"a b", 34, "input text 'a%sb'\n"},
        {"100%s", 34, "input text '100%'\ninput text 's'\n"},
        {"%%s", 34, "input text '%%'\ninput text 's'\n"},
        {"it's", 34, "input text 'it'\\''s'\n"},
        {"", 34, ""},
        {"what?", 34, "input text 'what?'\n"},
        {"what?", 19,
         "CLASSPATH=/system/framework/input.jar app_process /system/bin "
         "com.android.commands.input.Input text 'what?'\n"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf command = BUF_INIT(4096);
        size_t at = 0;

        while (type_text_plain(cases[i].text, cases[i].sdk, &at, &command))
            buf_byte(&command, '\n');
        assert_string_equal(buf_cstr(&command), cases[i].commands);
        buf_release(&command);
    }
}

static void composing_keyboards_are_recognized(void **state)
{
    (void)state;
    assert_true(type_text_composes("com.sohu.inputmethod.sogou/.SogouIME"));
    assert_true(type_text_composes("com.google.android.inputmethod.pinyin/.P"));
    assert_false(type_text_composes("com.android.inputmethod.latin/.LatinIME"));
    assert_false(type_text_composes("null"));
}

static void commands_are_short_enough_for_old_phones(void **state)
{
    struct buf text = BUF_INIT(20000);
    struct buf command = BUF_INIT(20000);
    size_t at = 0;

    (void)state;
    while (!text.overflow)
        buf_text(&text, "'");
    while (type_text_plain(buf_cstr(&text), 34, &at, &command)) {
        assert_true(command.length < 4000);
        buf_clear(&command);
    }
    assert_int_equal(at, text.length);
    at = 0;
    while (type_text_base64(buf_cstr(&text), &at, &command)) {
        assert_true(command.length < 4000);
        buf_clear(&command);
    }
    assert_int_equal(at, text.length);
    buf_release(&text);
    buf_release(&command);
}

static void apps_are_found_by_many_names(void **state)
{
    static const char list[] = "package:com.android.settings\n"
                               "package:com.tencent.mm\r\n"
                               "package:com.google.android.deskclock\n"
                               "package:org.example.notes\n"
                               "package:com.one.mail\npackage:com.two.mail\n";
    static const struct {
        const char *name;
        const char *package; /* NULL: none, or several */
        const char *says;
    } cases[] = {
        {"com.android.settings", "com.android.settings", NULL},
        {"Settings", "com.android.settings", NULL},
        {"设置", "com.android.settings", NULL},
        {"WeChat", "com.tencent.mm", NULL},
        {"微信", "com.tencent.mm", NULL},
        {"clock", "com.google.android.deskclock", NULL},
        {"Notes", "org.example.notes", NULL},
        {"mail", NULL, "several apps match 'mail': com.one.mail, com.two.mail"},
        {"Nothing", NULL, "no app on the phone is called 'Nothing'"},
        {"", NULL, "the name of the app is empty"},
        {"com.android.setting", NULL, "is not installed on the phone"},
        {"$(reboot)", NULL, "no app on the phone"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char package[APP_NAME_MAX];
        struct err err = ERR_INIT;
        bool found = app_name_choose(list, cases[i].name, package, &err);

        assert_int_equal(found, cases[i].package != NULL);
        if (found)
            assert_string_equal(package, cases[i].package);
        else if (!strstr(err.text, cases[i].says))
            fail_msg("%s: %s", cases[i].name, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(direction_becomes_a_swipe_away_from_the_edges),
        cmocka_unit_test(text_is_split_where_input_would_insert_a_blank),
        cmocka_unit_test(composing_keyboards_are_recognized),
        cmocka_unit_test(commands_are_short_enough_for_old_phones),
        cmocka_unit_test(apps_are_found_by_many_names),
    };

    return cmocka_run_group_tests_name("gesture", tests, NULL, NULL);
}
