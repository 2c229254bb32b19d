/* cmd, svc, service and content. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/phone/system_phone.h"

static void cmd_speaks_to_services(void **state)
{
    assert_phone_prints(*state,
                        "cmd window size; cmd settings get global wifi_on; "
                        "cmd activity get-current-user; "
                        "cmd input_method list -s; cmd input keyevent 3",
                        "Physical size: 1080x2400\n1\n0\n"
                        "com.android.inputmethod.latin/.LatinIME\n");
    assert_phone_fails(*state, "cmd nobody", 20,
                       "cmd: Can't find service: nobody\n");
    assert_phone_fails(*state, "cmd", 20,
                       "cmd: No service specified; use -l to list all running "
                       "services. Use -w to start and wait for a service.\n");
    assert_phone_says(*state, "cmd -l", "  package\n");
    assert_phone_prints(*state,
                        "cmd statusbar expand-notifications; "
                        "cmd statusbar collapse; cmd alarm",
                        "No shell command implementation.\n");
}

static void night_falls(void **state)
{
    struct system_phone *phone = *state;

    assert_phone_prints(phone, "cmd uimode night; cmd uimode night yes",
                        "Night mode: no\nNight mode: yes\n");
    assert_true(screen_display(phone->context.screen).dark);
    assert_phone_prints(phone,
                        "settings put secure ui_night_mode 1; "
                        "cmd uimode night",
                        "Night mode: no\n");
    assert_phone_fails(phone, "cmd uimode night maybe", 255,
                       "Error: mode must be 'yes', 'no', or 'auto'\n");
}

static void svc_switches_settings(void **state)
{
    assert_phone_prints(*state,
                        "svc wifi disable; svc data disable; "
                        "svc power stayon true; cmd wifi status; "
                        "settings get global mobile_data; "
                        "settings get global stay_on_while_plugged_in",
                        "Wifi is disabled\n0\n7\n");
    system_phone_run(*state, "svc", 1);
}

static void services_are_found(void **state)
{
    assert_phone_prints(*state, "service check activity; service check nobody",
                        "Service activity: found\n"
                        "Service nobody: not found\n");
    assert_phone_says(*state, "service list",
                      "0\tSurfaceFlinger: [android.ui.ISurfaceComposer]\n");
}

static void content_reads_and_writes_settings(void **state)
{
    assert_phone_prints(*state,
                        "content insert --uri content://settings/system "
                        "--bind name:s:answer --bind value:i:42; "
                        "settings get system answer; "
                        "content query --uri content://settings/system "
                        "--projection name:value "
                        "--where \"name='answer'\"",
                        "42\nRow: 0 name=answer, value=42\n");
    assert_phone_prints(*state,
                        "content delete --uri content://settings/system "
                        "--where \"name='answer'\"; "
                        "content query --uri content://settings/system "
                        "--where \"name='answer'\"",
                        "No result found.\n");
    system_phone_run(*state, "content query --uri content://sms", 255);
}

static void the_framework_is_not_the_shells(void **state)
{
    assert_phone_fails(*state, "stop", 1, "Must be root\n");
    assert_phone_fails(*state, "nosuchcommand", 127,
                       "/system/bin/sh: nosuchcommand: inaccessible or not "
                       "found\n");
}

int main(void)
{
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, system_phone_set_up,                 \
                                    system_phone_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(cmd_speaks_to_services),
        TEST(night_falls),
        TEST(svc_switches_settings),
        TEST(services_are_found),
        TEST(content_reads_and_writes_settings),
        TEST(the_framework_is_not_the_shells),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
