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

typedef void adb_fn(const char *arguments, struct buf *output);

struct visit {
    struct shell_phone phone;
    adb_fn *adb;
};

/* What follows a command in the computer's shell, to see how it ended. */
#define STATUS " & wait $!; echo status $?"

/* Run adb in a shell of the computer's, and look for expected. */
static void assert_adb(void **state, const char *command, const char *expected)
{
    struct visit *visit = *state;
    struct buf output = BUF_INIT(1 << 20);
    char arguments[400];

    snprintf(arguments, sizeof(arguments), "-s 127.0.0.1:%u %s",
             (unsigned)visit->phone.port, command);
    visit->adb(arguments, &output);
    if (!strstr(buf_cstr(&output), expected))
        fail_msg("adb %s prints \"%s\"", arguments, buf_cstr(&output));
    buf_release(&output);
}

static int start(void **state, adb_fn *adb)
{
    struct visit *visit = mem_new(1, sizeof(*visit));
    char connect[64];

    visit->adb = adb;
    shell_phone_start(&visit->phone, FEATURE_BIT(FEATURE_SHELL_V2) |
                                         FEATURE_BIT(FEATURE_DELAYED_ACK));
    *state = visit;
    snprintf(connect, sizeof(connect), "connect 127.0.0.1:%u",
             (unsigned)visit->phone.port);
    assert_adb(state, connect, "connected");
    assert_adb(state, "wait-for-device", "");
    return 0;
}

static int start_old(void **state)
{
    return start(state, host_adb);
}

static int start_new(void **state)
{
    return start(state, chroot_adb);
}

static int stop(void **state)
{
    struct visit *visit = *state;
    char disconnect[64];

    snprintf(disconnect, sizeof(disconnect), "disconnect 127.0.0.1:%u",
             (unsigned)visit->phone.port);
    assert_adb(state, disconnect, "disconnected");
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
