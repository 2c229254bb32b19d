/* am and monkey, as clients use them. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tools/phone/services/system_phone.h"
#include "tools/phone/system/input_methods.h"

#define SHOP "org.proctor.shop/.MainActivity"

static void a_component_is_started(void **state)
{
    assert_phone_prints(*state, "am start -n " SHOP,
                        "Starting: Intent { cmp=" SHOP " }\n");
    assert_true(system_phone_shows(*state, "package=\"org.proctor.shop\""));
    assert_phone_fails(*state, "am start " SHOP, 0,
                       "Warning: Activity not started, intent has been "
                       "delivered to currently running top-most instance.\n");
    system_phone_run(*state, "input keyevent HOME", 0);
    assert_phone_fails(*state, "am start-activity -n " SHOP, 0,
                       "Warning: Activity not started, its current task has "
                       "been brought to the front\n");
}

static void start_with_w_prints_the_result(void **state)
{
    assert_phone_prints(*state, "am start -W -S -n " SHOP,
                        "Stopping: org.proctor.shop\n"
                        "Starting: Intent { cmp=" SHOP " }\n"
                        "Status: ok\n"
                        "LaunchState: COLD\n"
                        "Activity: " SHOP "\n"
                        "TotalTime: 312\n"
                        "WaitTime: 316\n"
                        "Complete\n");
}

static void an_intent_finds_its_app(void **state)
{
    assert_phone_prints(
        *state,
        "am start -a android.intent.action.VIEW -d 'https://a.org/b?c' "
        "-f 0x10000000 --es who you",
        "Starting: Intent { act=android.intent.action.VIEW "
        "dat=https://a.org/... flg=0x10000000 (has extras) }\n");
    assert_true(system_phone_shows(*state, "package=\"org.proctor.browser\""));
    assert_phone_prints(*state, "am start -a android.intent.action.DIAL tel:12",
                        "Starting: Intent { act=android.intent.action.DIAL "
                        "dat=tel:xx }\n");
    assert_phone_prints(*state, "am start com.android.deskclock",
                        "Starting: Intent { act=android.intent.action.MAIN "
                        "cat=[android.intent.category.LAUNCHER] "
                        "pkg=com.android.deskclock }\n");
}

static void failed_start_is_reported(void **state)
{
    assert_phone_fails(*state, "am start -n a.b/.C", 1,
                       "Error type 3\n"
                       "Error: Activity class {a.b/a.b.C} does not exist.\n");
    assert_phone_fails(*state, "am start -a no.such", 1,
                       "Error: Activity not started, unable to resolve Intent "
                       "{ act=no.such flg=0x10000000 }\n");
    assert_phone_fails(*state, "am start -n broken", 255,
                       "\nException occurred while executing 'start':\n"
                       "java.lang.IllegalArgumentException: Bad component "
                       "name: broken\n");
    assert_phone_fails(*state, "am start --wrong", 255,
                       "\nException occurred while executing 'start':\n"
                       "java.lang.IllegalArgumentException: Unknown option: "
                       "--wrong\n");
    assert_phone_fails(*state, "am start -n", 255,
                       "\nException occurred while executing 'start':\n"
                       "java.lang.IllegalArgumentException: Argument expected "
                       "after \"-n\"\n");
    assert_phone_fails(*state, "am startservice -n a.b/.C", 255,
                       "Error: Not found; no service started.\n");
    system_phone_run(*state, "am", 255);
    assert_string_equal(buf_cstr(system_phone_run(*state, "am dance", 255)),
                        "Unknown command: dance\n");
}

static void force_stop_ends_task_and_process(void **state)
{
    system_phone_run(*state, "am start -n " SHOP, 0);
    assert_phone_says(*state, "ps -A", "org.proctor.shop");
    assert_phone_prints(*state,
                        "am force-stop org.proctor.shop; "
                        "pidof org.proctor.shop || echo gone",
                        "gone\n");
    assert_phone_says(*state, "logcat -d -s ActivityManager",
                      "Force stopping org.proctor.shop");
    system_phone_run(*state, "am start -n " SHOP "; input keyevent 3", 0);
    assert_phone_prints(*state,
                        "am kill org.proctor.shop; "
                        "pidof org.proctor.shop || echo gone",
                        "gone\n");
}

static void tasks_are_listed(void **state)
{
    assert_phone_says(*state, "am start -n " SHOP "; am stack list",
                      "  taskId=2: org.proctor.shop/org.proctor.shop."
                      "MainActivity bounds=[0,0][1080,2400] userId=0 "
                      "visible=true topActivity=ComponentInfo{org.proctor.shop/"
                      "org.proctor.shop.MainActivity}\n");
    assert_phone_prints(*state, "am get-current-user", "0\n");
}

static void monkey_starts_a_package(void **state)
{
    assert_string_equal(
        buf_cstr(system_phone_run(
            *state,
            "monkey -p org.proctor.shop -c android.intent.category.LAUNCHER 1",
            0)),
        "  bash arg: -p\n"
        "  bash arg: org.proctor.shop\n"
        "  bash arg: -c\n"
        "  bash arg: android.intent.category.LAUNCHER\n"
        "  bash arg: 1\n"
        "Events injected: 1\n"
        "## Network stats: elapsed time=312ms (0ms mobile, 0ms wifi, 312ms "
        "not connected)\n");
    assert_true(system_phone_shows(*state, "package=\"org.proctor.shop\""));
    system_phone_run(*state, "monkey -p a.b 1", 252);
}

/* ---- the keyboard of adb ---- */

static void use_adb_keyboard(struct system_phone *phone)
{
    input_methods_install_adb(&phone->handset);
    system_phone_run(
        phone, "ime enable " INPUT_METHODS_ADB "; ime set " INPUT_METHODS_ADB,
        0);
}

static void broadcasts_type_with_adb_keyboard(void **state)
{
    system_phone_run(*state, "input tap 540 2220", 0);
    assert_phone_prints(*state, "am broadcast -a ADB_INPUT_TEXT --es msg lost",
                        "Broadcasting: Intent { act=ADB_INPUT_TEXT "
                        "flg=0x400000 (has extras) }\n"
                        "Broadcast completed: result=0\n");
    assert_false(system_phone_shows(*state, "text=\"lost\""));
    use_adb_keyboard(*state);
    system_phone_run(
        *state, "am broadcast -a ADB_INPUT_TEXT --es msg 'a \"b\" $%s'", 0);
    assert_true(system_phone_shows(*state, "text='a \"b\" $%s'"));
    system_phone_run(*state, "am broadcast -a ADB_CLEAR_TEXT", 0);
    assert_false(system_phone_shows(*state, "text='a \"b\""));
    system_phone_run(
        *state, "am broadcast -a ADB_INPUT_B64 --es msg 5Lit5paHIPCfmIA=", 0);
    assert_true(system_phone_shows(*state, "text=\"中文 😀\"") ||
                system_phone_shows(*state, "text=\"中文 &#128512;\""));
    system_phone_run(*state,
                     "am broadcast -a ADB_INPUT_CODE --ei code 67; "
                     "am broadcast -a ADB_INPUT_CODE --ei code 67; "
                     "am broadcast -a ADB_INPUT_CHARS --eia chars 33,65,20013",
                     0);
    assert_true(system_phone_shows(*state, "text=\"中文!A中\""));
}

int main(void)
{
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, system_phone_set_up,                 \
                                    system_phone_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_component_is_started),
        TEST(start_with_w_prints_the_result),
        TEST(an_intent_finds_its_app),
        TEST(failed_start_is_reported),
        TEST(force_stop_ends_task_and_process),
        TEST(tasks_are_listed),
        TEST(monkey_starts_a_package),
        TEST(broadcasts_type_with_adb_keyboard),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
