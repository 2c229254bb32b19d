/* pm: what is installed, and installing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/phone/system_phone.h"
#include "tests/phone/test_apk.h"

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

static void paths_are_told(void **state)
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

static void versions_and_tests_are_looked_at(void **state)
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

static void what_is_no_apk_is_refused(void **state)
{
    struct system_phone *phone = *state;

    system_phone_run(phone, "echo hello >/data/local/tmp/no.apk", 0);
    assert_string_equal(
        buf_cstr(
            system_phone_run(phone, "pm install /data/local/tmp/no.apk", 1)),
        "Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse "
        "/data/app/vmdl1.tmp/base.apk: it is no ZIP archive, or cut short]\n");
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

static void clearing_and_disabling(void **state)
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

int main(void)
{
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, system_phone_set_up,                 \
                                    system_phone_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(packages_are_listed),
        TEST(paths_are_told),
        TEST(an_apk_is_streamed_in_and_its_app_starts),
        TEST(versions_and_tests_are_looked_at),
        TEST(sessions_collect_an_apk),
        TEST(what_is_no_apk_is_refused),
        TEST(uninstalling_leaves_nothing),
        TEST(permissions_are_granted_and_revoked),
        TEST(clearing_and_disabling),
        TEST(resolving_names_the_activity),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
