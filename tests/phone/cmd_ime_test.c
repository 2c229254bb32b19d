/* ime, and the settings that say the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/phone/system_phone.h"
#include "tools/phone/keyboards.h"

static void install_adb_keyboard(struct system_phone *phone)
{
    keyboards_install_adb(&phone->handset);
}

static void keyboards_are_listed(void **state)
{
    assert_phone_prints(*state, "ime list -s", KEYBOARDS_DEFAULT "\n");
    install_adb_keyboard(*state);
    assert_phone_prints(*state, "ime list -s", KEYBOARDS_DEFAULT "\n");
    assert_phone_prints(*state, "ime list -a -s",
                        KEYBOARDS_DEFAULT "\n" KEYBOARDS_ADB "\n");
    assert_phone_says(*state, "ime list -a",
                      KEYBOARDS_ADB ":\n  mId=" KEYBOARDS_ADB " ");
}

static void a_keyboard_is_enabled_and_selected(void **state)
{
    install_adb_keyboard(*state);
    assert_phone_fails(*state, "ime set " KEYBOARDS_ADB, 255,
                       "Unknown input method " KEYBOARDS_ADB
                       " cannot be selected for user #0\n");
    assert_phone_prints(
        *state,
        "ime enable " KEYBOARDS_ADB "; ime enable " KEYBOARDS_ADB
        "; ime set " KEYBOARDS_ADB,
        "Input method " KEYBOARDS_ADB ": now enabled for user #0\n"
        "Input method " KEYBOARDS_ADB ": already enabled for user #0\n"
        "Input method " KEYBOARDS_ADB " selected for user #0\n");
    assert_phone_prints(*state,
                        "settings get secure default_input_method; "
                        "settings get secure enabled_input_methods",
                        KEYBOARDS_ADB "\n" KEYBOARDS_DEFAULT ":" KEYBOARDS_ADB
                                      "\n");
    assert_phone_says(*state, "dumpsys input_method",
                      "mCurMethodId=" KEYBOARDS_ADB "\n");
}

static void disabling_falls_back_to_the_default(void **state)
{
    install_adb_keyboard(*state);
    assert_phone_prints(*state,
                        "ime enable " KEYBOARDS_ADB " >/dev/null; "
                        "ime set " KEYBOARDS_ADB " >/dev/null; "
                        "ime disable " KEYBOARDS_ADB "; "
                        "settings get secure default_input_method; "
                        "settings get secure enabled_input_methods",
                        "Input method " KEYBOARDS_ADB
                        ": now disabled for user #0\n" KEYBOARDS_DEFAULT
                        "\n" KEYBOARDS_DEFAULT "\n");
    assert_phone_prints(*state, "ime reset",
                        "Reset current and enabled IMEs for user #0\n"
                        "  Newly selected: " KEYBOARDS_DEFAULT "\n"
                        "  Newly enabled:\n"
                        "    " KEYBOARDS_DEFAULT "\n");
}

static void only_the_default_one_takes_room_on_the_screen(void **state)
{
    assert_phone_says(*state, "input tap 540 2220; dumpsys input_method",
                      "mInputShown=true\n");
    install_adb_keyboard(*state);
    assert_phone_says(*state,
                      "ime enable " KEYBOARDS_ADB "; ime set " KEYBOARDS_ADB
                      "; dumpsys input_method",
                      "mInputShown=false\n");
}

static void what_is_no_keyboard_is_refused(void **state)
{
    assert_phone_fails(*state, "ime enable org.proctor.shop/.MainActivity", 255,
                       "Unknown input method org.proctor.shop/.MainActivity "
                       "cannot be enabled for user #0\n");
    assert_phone_fails(*state, "ime set", 255,
                       "\nException occurred while executing 'set':\n"
                       "java.lang.IllegalArgumentException: Argument expected "
                       "after \"set\"\n");
}

int main(void)
{
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, system_phone_set_up,                 \
                                    system_phone_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(keyboards_are_listed),
        TEST(a_keyboard_is_enabled_and_selected),
        TEST(disabling_falls_back_to_the_default),
        TEST(only_the_default_one_takes_room_on_the_screen),
        TEST(what_is_no_keyboard_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
