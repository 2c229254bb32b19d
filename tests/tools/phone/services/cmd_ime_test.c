/* ime, and the settings with the same values. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tools/phone/services/system_phone.h"
#include "tools/phone/system/input_methods.h"

static void install_adb_keyboard(struct system_phone *phone)
{
    input_methods_install_adb(&phone->handset);
}

static void input_methods_are_listed(void **state)
{
    assert_phone_prints(*state, "ime list -s", INPUT_METHODS_DEFAULT "\n");
    install_adb_keyboard(*state);
    assert_phone_prints(*state, "ime list -s", INPUT_METHODS_DEFAULT "\n");
    assert_phone_prints(*state, "ime list -a -s",
                        INPUT_METHODS_DEFAULT "\n" INPUT_METHODS_ADB "\n");
    assert_phone_says(*state, "ime list -a",
                      INPUT_METHODS_ADB ":\n  mId=" INPUT_METHODS_ADB " ");
}

static void a_keyboard_is_enabled_and_selected(void **state)
{
    install_adb_keyboard(*state);
    assert_phone_fails(*state, "ime set " INPUT_METHODS_ADB, 255,
                       "Unknown input method " INPUT_METHODS_ADB
                       " cannot be selected for user #0\n");
    assert_phone_prints(
        *state,
        "ime enable " INPUT_METHODS_ADB "; ime enable " INPUT_METHODS_ADB
        "; ime set " INPUT_METHODS_ADB,
        "Input method " INPUT_METHODS_ADB ": now enabled for user #0\n"
        "Input method " INPUT_METHODS_ADB ": already enabled for user #0\n"
        "Input method " INPUT_METHODS_ADB " selected for user #0\n");
    assert_phone_prints(*state,
                        "settings get secure default_input_method; "
                        "settings get secure enabled_input_methods",
                        INPUT_METHODS_ADB "\n" INPUT_METHODS_DEFAULT
                                          ":" INPUT_METHODS_ADB "\n");
    assert_phone_says(*state, "dumpsys input_method",
                      "mCurMethodId=" INPUT_METHODS_ADB "\n");
}

static void disabling_falls_back_to_the_default(void **state)
{
    install_adb_keyboard(*state);
    assert_phone_prints(*state,
                        "ime enable " INPUT_METHODS_ADB " >/dev/null; "
                        "ime set " INPUT_METHODS_ADB " >/dev/null; "
                        "ime disable " INPUT_METHODS_ADB "; "
                        "settings get secure default_input_method; "
                        "settings get secure enabled_input_methods",
                        "Input method " INPUT_METHODS_ADB
                        ": now disabled for user #0\n" INPUT_METHODS_DEFAULT
                        "\n" INPUT_METHODS_DEFAULT "\n");
    assert_phone_prints(*state, "ime reset",
                        "Reset current and enabled IMEs for user #0\n"
                        "  Newly selected: " INPUT_METHODS_DEFAULT "\n"
                        "  Newly enabled:\n"
                        "    " INPUT_METHODS_DEFAULT "\n");
}

static void only_the_default_keyboard_is_visible(void **state)
{
    assert_phone_says(*state, "input tap 540 2220; dumpsys input_method",
                      "mInputShown=true\n");
    install_adb_keyboard(*state);
    assert_phone_says(*state,
                      "ime enable " INPUT_METHODS_ADB
                      "; ime set " INPUT_METHODS_ADB "; dumpsys input_method",
                      "mInputShown=false\n");
}

static void unknown_keyboard_is_refused(void **state)
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
        TEST(input_methods_are_listed),
        TEST(a_keyboard_is_enabled_and_selected),
        TEST(disabling_falls_back_to_the_default),
        TEST(only_the_default_keyboard_is_visible),
        TEST(unknown_keyboard_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
