/* app_process: yadb's commands, and classes that cannot run. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/tools/phone/services/system_phone.h"

#define YADB                                                                   \
    "app_process -Djava.class.path=/data/local/tmp/yadb /data/local/tmp "      \
    "com.ysbing.yadb.Main "

/* The search field of the home screen has the focus, and yadb is there. */
#define READY "touch /data/local/tmp/yadb; input tap 540 2220; "

static void a_text_is_typed_and_cleared(void **state)
{
    struct system_phone *phone = *state;

    assert_phone_prints(phone, READY YADB "-keyboard '你好 world'",
                        "Copy text:true\n");
    assert_true(system_phone_shows(phone, "text=\"你好 world\""));
    assert_phone_prints(phone, YADB "-keyboard '~CLEAR~ab'",
                        "Copy text:true\n");
    assert_true(system_phone_shows(phone, "text=\"ab\""));
    assert_phone_prints(phone, YADB "-keyboardClear", "");
    assert_false(system_phone_shows(phone, "text=\"ab\""));
}

static void the_screen_is_touched(void **state)
{
    struct system_phone *phone = *state;

    assert_phone_prints(
        phone,
        READY YADB "-keyboardClear; " YADB "-swipe 10 500 10 400 100; " YADB
                   "-touch 540 1200; " YADB "-touch 540 1200 700; " YADB
                   "-longPressDrag 9 500 9 400 500 90",
        "");
    assert_phone_prints(phone,
                        "A=$(date +%s); " YADB
                        "-pinch 500 500 100 400 2000; echo $(($(date +%s)-A))",
                        "2\n");
}

static void the_screen_is_written_to_files(void **state)
{
    assert_phone_prints(
        *state,
        READY YADB "-layout; grep -c hierarchy "
                   "/data/local/tmp/yadb_layout_dump.xml; " YADB
                   "-layout /sdcard/l.xml; " YADB
                   "-screenshot; head -c 4 /data/local/tmp/yadb_screenshot.png "
                   "| tail -c 3",
        "layout dumped to:/data/local/tmp/yadb_layout_dump.xml\n1\n"
        "layout dumped to:/sdcard/l.xml\n"
        "screenshot success:/data/local/tmp/yadb_screenshot.png\nPNG");
}

static void unknown_class_fails_at_once(void **state)
{
    struct system_phone *phone = *state;

    assert_phone_fails(phone, YADB "-layout", 134, "Aborted \n");
    assert_phone_fails(phone, READY YADB "-fly", 1,
                       "yadb: unknown command '-fly', or too few arguments\n");
    assert_phone_fails(phone, READY YADB "-touch 5", 1,
                       "yadb: unknown command '-touch', or too few "
                       "arguments\n");
    assert_phone_fails(phone,
                       "CLASSPATH=/data/local/tmp/u2.jar app_process / "
                       "com.wetest.uia2.Main",
                       1,
                       "app_process: com.wetest.uia2.Main cannot run: the "
                       "built-in phone has no Java\n");
    assert_phone_fails(phone,
                       "CLASSPATH=/x app_process /system/bin "
                       "--nice-name=a a.B & wait",
                       0,
                       "app_process: a.B cannot run: the built-in phone has "
                       "no Java\n");
    assert_phone_fails(phone, "app_process", 1,
                       "Usage: app_process [java-options] cmd-dir "
                       "start-class-name [options]\n");
}

int main(void)
{
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, system_phone_set_up,                 \
                                    system_phone_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_text_is_typed_and_cleared),
        TEST(the_screen_is_touched),
        TEST(the_screen_is_written_to_files),
        TEST(unknown_class_fails_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
