/* pm: what is installed, and installing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tools/phone/services/system_phone.h"
#include "tests/tools/phone/system/test_apk.h"

static const struct test_apk tiny = {
    .package = "com.example.tiny",
    .version = "1.2",
    .code = 12,
    .label = "Tiny",
    .activity = ".Main",
    .viewer = "com.example.tiny.View",
    .permission = "android.permission.CAMERA",
};

/* Stream an APK in, as adb does. */
static void install(struct system_phone *phone, const struct test_apk *apk,
                    const char *options, int status, const char *answer)
{
    struct buf zip = BUF_INIT(1U << 18U);
    char command[128];

    test_apk_write(apk, &zip);
    snprintf(command, sizeof(command), "cmd package 'install' %s -S %zu",
             options, zip.length);
    phone->input = zip.data;
    phone->input_left = zip.length;
    assert_string_equal(buf_cstr(system_phone_run(phone, command, status)),
                        answer);
    assert_int_equal(phone->input_left, 0);
    buf_release(&zip);
}

static void packages_are_listed(void **state)
{
    assert_phone_prints(*state, "pm list packages -3",
                        "package:org.proctor.shop\n"
                        "package:org.proctor.eats\n"
                        "package:org.proctor.mail\n"
                        "package:org.proctor.stays\n"
                        "package:org.proctor.maps\n"
                        "package:org.proctor.music\n"
                        "package:org.proctor.chat\n"
                        "package:org.proctor.dictionary\n"
                        "package:org.proctor.pay\n"
                        "package:org.proctor.video\n"
                        "package:org.proctor.darkroom\n"
                        "package:org.proctor.sports\n"
                        "package:org.proctor.news\n"
                        "package:org.proctor.store\n"
                        "package:org.proctor.notes\n"
                        "package:org.proctor.browser\n");
    assert_phone_prints(*state, "pm list packages -s desk",
                        "package:com.android.deskclock\n");
    assert_phone_prints(
        *state, "cmd package list packages -f -U --show-versioncode deskclock",
        "package:/product/app/DeskClock/DeskClock.apk=com.android.deskclock "
        "versionCode:780 uid:10081\n");
    assert_phone_prints(*state, "pm list packages -d", "");
    assert_phone_fails(*state, "pm list packages -x", 255,
                       "Error: Unknown option: -x\n");
    assert_phone_says(*state, "pm list features",
                      "feature:android.hardware.touchscreen\n");
    assert_phone_says(*state, "pm list permissions",
                      "permission:android.permission.CAMERA\n");
    assert_phone_prints(*state, "pm list users",
                        "Users:\n\tUserInfo{0:Owner:c13} running\n");
}

static void path_prints_the_apk(void **state)
{
    assert_phone_prints(*state, "pm path com.android.settings",
                        "package:/system/priv-app/Settings/Settings.apk\n");
    assert_phone_fails(*state, "pm path a.b", 1, "");
}

static void an_apk_is_streamed_in_and_its_app_starts(void **state)
{
    install(*state, &tiny, "-r", 0, "Success\n");
    assert_phone_prints(*state, "pm list packages tiny",
                        "package:com.example.tiny\n");
    assert_phone_prints(*state,
                        "[ -f $(pm path com.example.tiny | cut -d: -f2) ] && "
                        "am start -n com.example.tiny/.Main",
                        "Starting: Intent { cmp=com.example.tiny/.Main }\n");
    assert_true(system_phone_shows(*state, "text=\"Tiny\""));
    system_phone_run(*state, "input keyevent 3", 0);
    assert_true(system_phone_shows(*state, "text=\"Tiny\""));
    assert_phone_prints(*state,
                        "cmd package resolve-activity --brief "
                        "-a android.intent.action.VIEW -d test:x | tail -n 1",
                        "com.example.tiny/.View\n");
}

/* Each screen that shows the app, drawn whole: its APK brings no icon. */
static void screens_are_drawn_after_an_install(void **state)
{
    static const char *const screens[] = {
        "input keyevent HOME",
        "am start -n com.example.tiny/.Main",
        "input keyevent APP_SWITCH",
        ("am start -a android.settings.APPLICATION_DETAILS_SETTINGS "
         "-d package:com.example.tiny"),
        "input keyevent HOME; input text ti",
    };

    install(*state, &tiny, "-r", 0, "Success\n");
    for (size_t i = 0; i < ARRAY_LEN(screens); i++) {
        system_phone_run(*state, screens[i], 0);
        assert_true(system_phone_run(*state, "screencap -p", 0)->length > 1000);
        assert_true(system_phone_shows(*state, "Tiny"));
    }
}

static void downgrade_and_test_flags_are_checked(void **state)
{
    struct test_apk apk = tiny;

    install(*state, &apk, "", 0, "Success\n");
    apk.code = 11;
    install(*state, &apk, "-r", 1,
            "Failure [INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: "
            "Update version code 11 is older than current 12]\n");
    install(*state, &apk, "-r -d", 0, "Success\n");
    apk.test_only = true;
    install(*state, &apk, "-r", 1,
            "Failure [INSTALL_FAILED_TEST_ONLY: Failed to install test-only "
            "apk. Did you forget to add -t?]\n");
    install(*state, &apk, "-r -t", 0, "Success\n");
}

static void sessions_collect_an_apk(void **state)
{
    struct system_phone *phone = *state;
    struct buf zip = BUF_INIT(1U << 18U);
    char expected[64];
    int number;

    test_apk_write(&tiny, &zip);
    assert_true(files_append(phone->handset.root, "/data/local/tmp/t.apk",
                             zip.data, zip.length, 0644, &number));
    assert_phone_prints(phone, "pm install-create -r",
                        "Success: created install session [1]\n");
    snprintf(expected, sizeof(expected), "Success: streamed %zu bytes\n",
             zip.length);
    assert_phone_prints(
        phone, "pm install-write 1 base.apk /data/local/tmp/t.apk", expected);
    assert_phone_prints(phone, "pm install-commit 1; pm list packages tiny",
                        "Success\npackage:com.example.tiny\n");
    assert_phone_fails(phone, "pm install-commit 1", 255,
                       "\nException occurred while executing 'install-commit':"
                       "\njava.lang.SecurityException: Caller has no access to "
                       "session 1\n");
    assert_phone_prints(phone,
                        "pm uninstall com.example.tiny; "
                        "pm install -r /data/local/tmp/t.apk",
                        "Success\nSuccess\n");
    buf_release(&zip);
}

static void invalid_apk_is_refused(void **state)
{
    struct system_phone *phone = *state;

    system_phone_run(phone, "echo hello >/data/local/tmp/no.apk", 0);
    assert_string_equal(
        buf_cstr(
            system_phone_run(phone, "pm install /data/local/tmp/no.apk", 1)),
        "Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse "
        "/data/app/vmdl1.tmp/base.apk: it is not a ZIP archive, or it is "
        "truncated]\n");
    assert_phone_fails(phone, "pm install /data/local/tmp/none.apk", 255,
                       "Error: Unable to open file: /data/local/tmp/none.apk\n"
                       "Consider using a file under /data/local/tmp/\n"
                       "\nException occurred while executing 'install':\n"
                       "java.lang.IllegalArgumentException: Error: Can't open "
                       "file: /data/local/tmp/none.apk\n");
    assert_phone_fails(phone, "pm install", 1,
                       "Error: must either specify a package size or an APK "
                       "file\n");
}

static void uninstalling_leaves_nothing(void **state)
{
    install(*state, &tiny, "", 0, "Success\n");
    assert_phone_prints(*state,
                        "P=$(pm path com.example.tiny | cut -d: -f2); "
                        "pm uninstall com.example.tiny; [ -e $P ] || echo gone",
                        "Success\ngone\n");
    assert_string_equal(
        buf_cstr(system_phone_run(*state, "pm uninstall com.example.tiny", 1)),
        "Failure [DELETE_FAILED_INTERNAL_ERROR]\n");
    assert_string_equal(buf_cstr(system_phone_run(
                            *state, "pm uninstall com.android.settings", 1)),
                        "Failure [DELETE_FAILED_INTERNAL_ERROR]\n");
}

static void permissions_are_granted_and_revoked(void **state)
{
    const char *grant = "pm grant com.example.tiny android.permission.CAMERA; "
                        "dumpsys package com.example.tiny | grep granted";

    install(*state, &tiny, "", 0, "Success\n");
    assert_phone_says(*state, "dumpsys package com.example.tiny",
                      "android.permission.CAMERA: granted=false");
    assert_phone_says(*state, grant, "android.permission.CAMERA: granted=true");
    assert_phone_says(*state,
                      "pm revoke com.example.tiny android.permission.CAMERA; "
                      "pm dump com.example.tiny",
                      "android.permission.CAMERA: granted=false");
    assert_phone_fails(*state, "pm grant a.b android.permission.CAMERA", 255,
                       "\nException occurred while executing 'grant':\n"
                       "java.lang.IllegalArgumentException: Unknown package: "
                       "a.b\n");
    assert_phone_fails(
        *state, "pm grant com.example.tiny android.permission.INTERNET", 255,
        "\nException occurred while executing 'grant':\n"
        "java.lang.SecurityException: Package com.example.tiny has not "
        "requested permission android.permission.INTERNET\n");
}

static void apps_are_cleared_and_disabled(void **state)
{
    assert_phone_prints(*state, "pm clear org.proctor.shop", "Success\n");
    assert_string_equal(buf_cstr(system_phone_run(*state, "pm clear a.b", 1)),
                        "Failed\n");
    assert_phone_prints(*state,
                        "pm disable-user --user 0 org.proctor.shop; "
                        "pm list packages -d; pm enable org.proctor.shop",
                        "Package org.proctor.shop new state: disabled-user\n"
                        "package:org.proctor.shop\n"
                        "Package org.proctor.shop new state: enabled\n");
}

static void resolving_names_the_activity(void **state)
{
    assert_phone_prints(
        *state, "cmd package resolve-activity --brief com.android.settings",
        "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 "
        "isDefault=true\ncom.android.settings/.Settings\n");
    assert_phone_prints(*state,
                        "pm resolve-activity --components "
                        "-c android.intent.category.HOME "
                        "-a android.intent.action.MAIN",
                        "com.android.launcher3/.uioverrides."
                        "QuickstepLauncher\n");
    assert_phone_prints(*state, "pm resolve-activity --brief a.b",
                        "No activity found\n");
}

#define LAUNCHED                                                               \
    "-a android.intent.action.MAIN -c android.intent.category.LAUNCHER "

static void querying_names_every_activity(void **state)
{
    assert_phone_says(*state, "cmd package query-activities " LAUNCHED,
                      "      packageName=org.proctor.shop\n");
    assert_phone_says(*state, "cmd package query-activities --brief " LAUNCHED,
                      "    com.android.settings/.Settings\n");
    assert_phone_says(*state, "pm query-activities --components " LAUNCHED,
                      "com.android.settings/.Settings\n");
    assert_phone_prints(*state, "pm query-activities -a no.such.ACTION",
                        "No activities found\n");
}

static void tests_of_a_package_are_listed(void **state)
{
    const struct test_apk tests = {
        .package = "com.example.tests",
        .version = "1",
        .runner = "androidx.test.runner.AndroidJUnitRunner",
        .tested = "com.example.tiny",
    };

    install(*state, &tests, "", 0, "Success\n");
    assert_phone_prints(
        *state,
        "pm list instrumentation; "
        "pm list instrumentation com.example.other",
        "instrumentation:com.example.tests/androidx.test."
        "runner.AndroidJUnitRunner (target=com.example.tiny)\n");
}

int main(void)
{
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, system_phone_set_up,                 \
                                    system_phone_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(packages_are_listed),
        TEST(path_prints_the_apk),
        TEST(an_apk_is_streamed_in_and_its_app_starts),
        TEST(screens_are_drawn_after_an_install),
        TEST(downgrade_and_test_flags_are_checked),
        TEST(sessions_collect_an_apk),
        TEST(invalid_apk_is_refused),
        TEST(uninstalling_leaves_nothing),
        TEST(permissions_are_granted_and_revoked),
        TEST(apps_are_cleared_and_disabled),
        TEST(resolving_names_the_activity),
        TEST(querying_names_every_activity),
        TEST(tests_of_a_package_are_listed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
