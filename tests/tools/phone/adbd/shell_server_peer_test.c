/* Stock adb, 29.0.6 and 34.0.5, uses the phone's shell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tests/support/adb/chroot_adb.h"
#include "tests/support/adb/stock_adb.h"
#include "tests/tools/phone/adbd/shell_phone.h"

struct fixture {
    struct shell_phone phone;
    struct stock_adb adb;
};

/* Follows a command in the computer's shell, and prints its exit status. */
#define STATUS " & wait $!; echo status $?"

static void assert_adb(void **state, const char *command, const char *expected)
{
    const struct fixture *fixture = *state;

    stock_adb_expect(&fixture->adb, command, expected);
}

static struct fixture *start(struct stock_adb adb)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));

    shell_phone_start(&fixture->phone, FEATURE_BIT(FEATURE_SHELL_V2) |
                                           FEATURE_BIT(FEATURE_DELAYED_ACK));
    adb.port = fixture->phone.port;
    fixture->adb = adb;
    stock_adb_connect(&fixture->adb);
    return fixture;
}

static int start_old(void **state)
{
    *state = start((struct stock_adb){host_adb, 0});
    return 0;
}

static int start_new(void **state)
{
    *state = start((struct stock_adb){chroot_adb, 0});
    return 0;
}

static int stop(void **state)
{
    struct fixture *fixture = *state;

    stock_adb_address(&fixture->adb, "disconnect", "disconnected");
    shell_phone_stop(&fixture->phone);
    free(fixture);
    return 0;
}

static void adb_exits_with_the_status_of_the_command(void **state)
{
    assert_adb(state, "shell 'exit 7'" STATUS, "status 7");
    assert_adb(state, "shell foo" STATUS,
               "/system/bin/sh: foo: inaccessible or not found\nstatus 127");
}

static void output_and_errors_are_separate(void **state)
{
    assert_adb(state, "shell 'echo out; echo err >&2' 2>/dev/null", "out\n");
    assert_adb(state, "shell 'echo out; echo err >&2' 2>&1 >/dev/null",
               "err\n");
}

static void input_reaches_the_command(void **state)
{
    assert_adb(state, "shell 'tr a-z A-Z' <<E\nshout\nE", "SHOUT\n");
    assert_adb(state, "shell <<E\necho $((6 * 7))x\nexit 4\nE", "42x\n");
}

static void a_terminal_can_be_forced(void **state)
{
    assert_adb(state, "shell -tt 'echo a; exit 3' </dev/null" STATUS,
               "a\r\nstatus 3");
    assert_adb(state, "shell -T 'echo a'", "a\n");
    assert_adb(state, "shell -x 'echo a; exit 3'", "a\n");
}

static void exec_out_is_unchanged(void **state)
{
    assert_adb(state, "exec-out 'printf \"a\\r\\n\"' | od -c", "a  \\r  \\n");
    assert_adb(state, "exec-out head -c 3000000 /dev/zero | wc -c", "3000000");
}

static void output_of_commands_is_parsed_by_adb(void **state)
{
    assert_adb(state, "shell getprop ro.product.model", "proctor phone\n");
    assert_adb(state, "logcat -d", "--------- beginning of main\n");
    assert_adb(state, "get-state", "device");
}

#define WITH(start, test)                                                      \
    {                                                                          \
        .name = #test " (" #start ")", .test_func = (test),                    \
        .setup_func = (start), .teardown_func = stop                           \
    }
#define BOTH(test) WITH(start_old, test), WITH(start_new, test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(adb_exits_with_the_status_of_the_command),
        BOTH(output_and_errors_are_separate),
        BOTH(input_reaches_the_command),
        BOTH(a_terminal_can_be_forced),
        BOTH(exec_out_is_unchanged),
        BOTH(output_of_commands_is_parsed_by_adb),
    };

    return cmocka_run_group_tests_name("phone's shell with adb", tests, NULL,
                                       NULL);
}
