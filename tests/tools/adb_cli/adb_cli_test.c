/* proctor-adb with a built-in phone at an adb server of ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/scratch_folder.h"
#include "tests/tools/adb_cli/shown_phone.h"
#include "tests/tools/cli/command_run.h"

static int setup(void **state)
{
    static struct shown_phone phone;
    struct err err = ERR_INIT;
    char port[16];

    if (scratch_folder_enter(state) || !shown_phone_start(&phone, &err))
        return -1;
    snprintf(port, sizeof(port), "%u", (unsigned)phone.port);
    setenv("PROCTOR_ADB_SERVER", port, 1);
    unsetenv("ANDROID_SERIAL");
    *state = &phone;
    return 0;
}

static int teardown(void **state)
{
    shown_phone_stop(*state);
    return scratch_folder_leave(state);
}

static void the_server_is_not_chosen_by_arguments(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "export ANDROID_ADB_SERVER_PORT=1\n"
        "proctor-adb -P 5037 -H example.org -L tcp:1 get-state\n"
        "proctor-adb -P5037 -a get-state");
    assert_string_equal(buf_cstr(&run.out), "device\ndevice\n");
    command_run_release(&run);
}

static void a_phone_is_chosen_by_options_and_environment(void **state)
{
    const struct shown_phone *phone = *state;
    struct command_run run = {0};
    char script[512];

    snprintf(script, sizeof(script),
             "proctor-adb -s %s get-state; proctor-adb -t 1 get-state\n"
             "proctor-adb -e get-state; proctor-adb -d get-state\n"
             "ANDROID_SERIAL=none proctor-adb get-state\n"
             "ANDROID_SERIAL=none proctor-adb -s %s get-state",
             phone->shown.serial, phone->shown.serial);
    RUN(&run, 0, script);
    assert_string_equal(buf_cstr(&run.out), "device\ndevice\ndevice\ndevice\n");
    assert_string_equal(buf_cstr(&run.errors),
                        "error: no devices found\n"
                        "error: device 'none' not found\n");
    command_run_release(&run);
}

static void a_command_has_its_streams_and_exit_code(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 7, "proctor-adb shell 'echo out; echo err >&2; exit 7'");
    assert_string_equal(buf_cstr(&run.out), "out\n");
    assert_string_equal(buf_cstr(&run.errors), "err\n");
    command_run_release(&run);
    RUN(&run, 0, "echo typed | proctor-adb shell cat");
    assert_string_equal(buf_cstr(&run.out), "typed\n");
    command_run_release(&run);
    RUN(&run, 0, "echo typed | proctor-adb shell -n cat");
    assert_string_equal(buf_cstr(&run.out), "");
    command_run_release(&run);
}

static void files_go_both_ways_unchanged(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "head -c 3000000 /dev/urandom >big && mkdir -p tree/a && "
        "echo x >tree/a/x && proctor-adb push big tree /sdcard/ && "
        "proctor-adb pull /sdcard/big back && cmp big back && "
        "proctor-adb pull /sdcard/tree copy && diff -r tree copy && "
        "proctor-adb exec-out cat /sdcard/big | cmp - big && "
        "proctor-adb push --sync big /sdcard/");
    SAYS(run.out, "big: 1 file pushed, 0 skipped. ");
    SAYS(run.out, "tree/: 1 file pushed, 0 skipped. ");
    SAYS(run.out, "\n2 files pushed, 0 skipped. ");
    SAYS(run.out, "/sdcard/big: 1 file pulled, 0 skipped. ");
    SAYS(run.out, "big: 0 files pushed, 1 skipped.\n");
    command_run_release(&run);
}

static void killing_the_server_changes_nothing(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "proctor-adb kill-server && proctor-adb start-server && "
        "proctor-adb wait-for-device shell echo here");
    assert_string_equal(buf_cstr(&run.out), "here\n");
    command_run_release(&run);
}

static void the_version_is_one_that_frameworks_parse(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor-adb version");
    SAYS(run.out, "Android Debug Bridge version 1.0.41\nVersion 34.0.5-");
    command_run_release(&run);
    RUN(&run, 0, "proctor-adb --version");
    SAYS(run.out, "Android Debug Bridge version 1.0.41\n");
    command_run_release(&run);
}

static void a_server_that_is_not_there_is_an_error(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1, "PROCTOR_ADB_SERVER=127.0.0.1:1 proctor-adb devices");
    SAYS(run.errors, "error: cannot connect to daemon at tcp:127.0.0.1:1: "
                     "Connection refused\n");
    command_run_release(&run);
    RUN(&run, 1, "PROCTOR_ADB_SERVER=127.0.0.1:99999 proctor-adb devices");
    SAYS(run.errors, "adb: PROCTOR_ADB_SERVER: ");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_server_is_not_chosen_by_arguments),
        cmocka_unit_test(a_phone_is_chosen_by_options_and_environment),
        cmocka_unit_test(a_command_has_its_streams_and_exit_code),
        cmocka_unit_test(files_go_both_ways_unchanged),
        cmocka_unit_test(killing_the_server_changes_nothing),
        cmocka_unit_test(the_version_is_one_that_frameworks_parse),
        cmocka_unit_test(a_server_that_is_not_there_is_an_error),
    };

    return cmocka_run_group_tests_name("adb_cli", tests, setup, teardown);
}
