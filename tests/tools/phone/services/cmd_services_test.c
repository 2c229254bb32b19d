/* cmd, svc, service and content. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tools/phone/services/system_phone.h"

static void cmd_calls_services(void **state)
{
    assert_phone_prints(*state,
                        "cmd window size; cmd settings get global wifi_on; "
                        "cmd activity get-current-user; "
                        "cmd input_method list -s; cmd input keyevent 3",
                        "Physical size: 1080x2400\n1\n0\n"
                        "com.android.inputmethod.latin/.LatinIME\n");
    assert_phone_fails(*state, "cmd missing", 20,
                       "cmd: Can't find service: missing\n");
    assert_phone_fails(*state, "cmd", 20,
                       "cmd: No service specified; use -l to list all running "
                       "services. Use -w to start and wait for a service.\n");
    assert_phone_says(*state, "cmd -l", "  package\n");
    assert_phone_prints(*state,
                        "cmd statusbar expand-notifications; "
                        "cmd statusbar collapse; cmd alarm",
                        "No shell command implementation.\n");
}

static void cmd_w_does_not_wait(void **state)
{
    assert_phone_prints(*state, "cmd -w window size",
                        "Physical size: 1080x2400\n");
    assert_phone_says(
        *state, "cmd display get-displays",
        "Displays:\nDisplay id 0: DisplayInfo{\"Built-in Screen\"");
    assert_phone_prints(*state,
                        "cmd location is-location-enabled; "
                        "cmd location set-location-enabled false; "
                        "cmd location is-location-enabled; "
                        "cmd location providers set-test-provider-location gps "
                        "--location 48.1,11.5",
                        "true\nfalse\n");
}

static void admin_commands_work(void **state)
{
    assert_phone_prints(*state,
                        "appops set org.proctor.shop CAMERA ignore; "
                        "appops get org.proctor.shop CAMERA; "
                        "cmd appops get --user 0 org.proctor.shop",
                        "CAMERA: ignore\nNo operations.\n");
    assert_phone_fails(*state, "appops set a.b CAMERA allow", 255,
                       "Error: No UID for a.b in user 0\n");
    assert_phone_fails(*state, "run-as org.proctor.shop ls", 1,
                       "run-as: package not debuggable: org.proctor.shop\n");
    assert_phone_fails(*state, "run-as a.b ls", 1,
                       "run-as: unknown package: a.b\n");
    assert_phone_prints(*state,
                        "locksettings get-disabled; media list-sessions; "
                        "media dispatch play",
                        "true\nSessions:\n");
    assert_phone_fails(*state, "bugreportz -v", 0, "1.2\n");
    system_phone_run(*state, "bugreportz", 1);
}

static void uimode_sets_the_night_mode(void **state)
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

static void service_lists_and_checks_services(void **state)
{
    assert_phone_prints(*state, "service check activity; service check missing",
                        "Service activity: found\n"
                        "Service missing: not found\n");
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

static void stop_and_start_need_root(void **state)
{
    assert_phone_fails(*state, "stop", 1, "Must be root\n");
    assert_phone_fails(*state, "nosuchcommand", 127,
                       "/system/bin/sh: nosuchcommand: inaccessible or not "
                       "found\n");
}

static void statusbar_opens_and_closes_the_shade(void **state)
{
    assert_phone_prints(*state, "cmd statusbar expand-notifications", "");
    assert_true(system_phone_shows(*state, "USB debugging connected"));
    assert_phone_says(*state, "dumpsys window", " NotificationShade}");
    assert_phone_prints(*state, "cmd statusbar expand-settings", "");
    assert_true(system_phone_shows(*state, "Airplane mode"));
    assert_phone_prints(*state, "cmd statusbar collapse", "");
    assert_true(system_phone_shows(*state, "Search apps"));
}

static void notifications_are_posted(void **state)
{
    system_phone_run(
        *state, "cmd notification post -v -t 'A title' tag 'Some text'", 0);
    system_phone_run(*state, "cmd statusbar expand-notifications", 0);
    assert_true(system_phone_shows(*state, "text=\"A title\""));
    assert_true(system_phone_shows(*state, "text=\"Some text\""));
    system_phone_run(*state, "cmd notification post -t x", 255);
}

int main(void)
{
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, system_phone_set_up,                 \
                                    system_phone_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(cmd_calls_services),
        TEST(cmd_w_does_not_wait),
        TEST(admin_commands_work),
        TEST(uimode_sets_the_night_mode),
        TEST(svc_switches_settings),
        TEST(service_lists_and_checks_services),
        TEST(content_reads_and_writes_settings),
        TEST(stop_and_start_need_root),
        TEST(statusbar_opens_and_closes_the_shade),
        TEST(notifications_are_posted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
