/* Stock adb, 29.0.6 and 34.0.5, uses the phone's shell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tests/phone/shell_phone.h"
#include "tests/support/chroot_adb.h"
#include "tests/support/stock_adb.h"

struct visit {
    struct shell_phone phone;
    struct stock_adb adb;
};

/* What follows a command in the computer's shell, to see how it ended. */
#define STATUS " & wait $!; echo status $?"

static void assert_adb(void **state, const char *command, const char *expected)
{
    const struct visit *visit = *state;

    stock_adb_expect(&visit->adb, command, expected);
}

static struct visit *start(struct stock_adb adb)
{
    struct visit *visit = mem_new(1, sizeof(*visit));

    shell_phone_start(&visit->phone, FEATURE_BIT(FEATURE_SHELL_V2) |
                                         FEATURE_BIT(FEATURE_DELAYED_ACK));
    adb.port = visit->phone.port;
    visit->adb = adb;
    stock_adb_connect(&visit->adb);
    return visit;
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
    struct visit *visit = *state;

    stock_adb_address(&visit->adb, "disconnect", "disconnected");
    shell_phone_stop(&visit->phone);
    free(visit);
    return 0;
}

static void the_status_of_a_command_is_adbs(void **state)
{
    assert_adb(state, "shell 'exit 7'" STATUS, "status 7");
    assert_adb(state, "shell foo" STATUS,
               "/system/bin/sh: foo: inaccessible or not found\nstatus 127");
}

static void output_and_errors_come_apart(void **state)
{
    assert_adb(state, "shell 'echo out; echo err >&2' 2>/dev/null", "out\n");
    assert_adb(state, "shell 'echo out; echo err >&2' 2>&1 >/dev/null",
               "err\n");
}

static void input_goes_in(void **state)
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

static void exec_out_is_left_as_it_is(void **state)
{
    assert_adb(state, "exec-out 'printf \"a\\r\\n\"' | od -c", "a  \\r  \\n");
    assert_adb(state, "exec-out head -c 3000000 /dev/zero | wc -c", "3000000");
}

static void stock_commands_find_what_they_parse(void **state)
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
        BOTH(the_status_of_a_command_is_adbs),
        BOTH(output_and_errors_come_apart),
        BOTH(input_goes_in),
        BOTH(a_terminal_can_be_forced),
        BOTH(exec_out_is_left_as_it_is),
        BOTH(stock_commands_find_what_they_parse),
    };

    return cmocka_run_group_tests_name("phone's shell with adb", tests, NULL,
                                       NULL);
}
