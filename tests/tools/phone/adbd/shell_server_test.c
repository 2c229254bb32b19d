/* The phone's shell, used by our own host. */
#include "tools/phone/adbd/shell_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/services/shell.h"
#include "base/mem.h"
#include "tests/support/adb/shell_helper.h"
#include "tests/tools/phone/adbd/shell_phone.h"

#define SOON deadline_in_ms(60000)
#define LIMIT ((size_t)16 << 20)

#define NEW_FEATURES                                                           \
    (FEATURE_BIT(FEATURE_SHELL_V2) | FEATURE_BIT(FEATURE_DELAYED_ACK))

/* A phone and a host, with one of three sets of features. */
struct fixture {
    struct shell_phone phone;
    struct device *device;
};

static int start_with(void **state, feature_set features)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));

    shell_phone_start(&fixture->phone, features);
    fixture->device = shell_phone_connect(&fixture->phone);
    *state = fixture;
    return 0;
}

static int start_new(void **state)
{
    return start_with(state, NEW_FEATURES);
}

static int start_classic(void **state)
{
    return start_with(state, FEATURE_BIT(FEATURE_SHELL_V2));
}

static int start_old(void **state)
{
    return start_with(state, 0);
}

static int stop(void **state)
{
    struct fixture *fixture = *state;

    device_close(fixture->device);
    shell_phone_stop(&fixture->phone);
    free(fixture);
    return 0;
}

static struct device *device_of(void **state)
{
    return ((struct fixture *)*state)->device;
}

/* ---- commands ---- */

static void output_errors_and_status_are_separate(void **state)
{
    struct shell_result result;

    shell_helper_run(device_of(state), "echo out; echo err >&2; exit 7",
                     &result);
    assert_string_equal(buf_cstr(&result.out), "out\n");
    assert_string_equal(buf_cstr(&result.errors), "err\n");
    assert_int_equal(result.status, 7);
    shell_result_release(&result);
}

static void shell_v1_mixes_output_and_errors(void **state)
{
    struct shell_result result;

    shell_helper_run(device_of(state), "echo out; echo err >&2; exit 7",
                     &result);
    assert_string_equal(buf_cstr(&result.out), "out\nerr\n");
    assert_int_equal(result.status, 7);
    shell_result_release(&result);
}

static void unknown_command_has_status_127(void **state)
{
    struct shell_result result;

    shell_helper_run(device_of(state), "foo", &result);
    assert_string_equal(buf_cstr(&result.errors),
                        "/system/bin/sh: foo: inaccessible or not found\n");
    assert_int_equal(result.status, 127);
    shell_result_release(&result);
}

static void unclosed_quote_is_a_syntax_error(void **state)
{
    struct shell_result result;

    shell_helper_run(device_of(state), "echo 'a", &result);
    assert_string_equal(buf_cstr(&result.errors),
                        "/system/bin/sh: no closing quote\n");
    assert_int_equal(result.status, 1);
    shell_result_release(&result);
}

static void quoted_text_arrives_unchanged(void **state)
{
    static const char text[] = "it's $HOME `id` \"x\" \\ * 手机 ; & |\n!";
    struct buf command = BUF_INIT(1024);

    buf_text(&command, "printf %s ");
    shell_quote(&command, text);
    shell_helper_expect(device_of(state), buf_cstr(&command), text);
    buf_release(&command);
}

static void many_bytes_arrive_unchanged(void **state)
{
    struct buf output = BUF_INIT(LIMIT);
    struct shell_result result;
    struct err err;

    shell_helper_run(device_of(state), "head -c 5000000 /dev/zero", &result);
    assert_int_equal(result.out.length, 5000000);
    shell_result_release(&result);
    assert_true(shell_exec(device_of(state),
                           "head -c 3000000 /dev/zero; printf 'a\\r\\nb\\n'",
                           SOON, &output, &err));
    assert_int_equal(output.length, 3000005);
    assert_memory_equal(output.data + 3000000, "a\r\nb\n", 5);
    buf_release(&output);
}

static void files_outlive_the_shell_that_wrote_them(void **state)
{
    shell_helper_expect(device_of(state), "echo hi >/sdcard/f", "");
    shell_helper_expect(device_of(state), "cat /sdcard/f", "hi\n");
}

static void shells_run_in_parallel(void **state)
{
    const struct shell_options options = {.command = "cat"};
    struct device *device = device_of(state);
    struct shell *shells[100];
    struct err err;

    for (size_t i = 0; i < ARRAY_LEN(shells); i++)
        assert_true(shell_open(device, &options, SOON, &shells[i], &err));
    shell_helper_expect(device, "echo me, too", "me, too\n");
    for (size_t i = 0; i < ARRAY_LEN(shells); i++)
        shell_close(shells[i]);
}

/* ---- sessions ---- */

/* Read until text is seen. */
static void await(struct shell *shell, struct buf *seen, const char *text)
{
    struct shell_event event;
    struct err err = ERR_INIT;

    while (!strstr(buf_cstr(seen), text)) {
        if (!shell_next(shell, SOON, &event, &err))
            fail_msg("%s, after \"%s\"", err.text, buf_cstr(seen));
        if (event.kind == SHELL_EXIT)
            fail_msg("it exits after \"%s\"", buf_cstr(seen));
        buf_append(seen, event.data, event.length);
    }
}

static void input_comes_back_through_cat(void **state)
{
    shell_helper_expect_echo(device_of(state), "cat | cat");
}

static void an_interactive_shell_prompts_echoes_and_exits(void **state)
{
    const struct shell_options options = {.pty = true, .term = "vt100"};
    struct shell *shell = shell_helper_open(device_of(state), &options);
    struct buf seen = BUF_INIT(LIMIT);

    await(shell, &seen, "phone:/ $ ");
    shell_helper_type(shell, "echo $TERM-$((6 * 7))x\177\r");
    await(shell, &seen, "vt100-42\r\nphone:/ $ ");
    assert_non_null(strstr(buf_cstr(&seen), "7))x\b \b\r\n"));
    buf_clear(&seen);
    shell_helper_type(shell, "if cd /sdcard\r");
    await(shell, &seen, "\r\n> ");
    shell_helper_type(shell, "then pwd; fi\r");
    await(shell, &seen, "/sdcard\r\nphone:/sdcard $ ");
    shell_helper_type(shell, "exit 3\n");
    assert_int_equal(shell_helper_gather(shell, &seen), 3);
    shell_close(shell);
    buf_release(&seen);
}

static void control_d_ends_an_interactive_shell(void **state)
{
    const struct shell_options options = {.pty = true};
    struct shell *shell = shell_helper_open(device_of(state), &options);
    struct buf seen = BUF_INIT(LIMIT);

    await(shell, &seen, "$ ");
    shell_helper_type(shell, "cat\nline\n\004");
    await(shell, &seen, "line\r\nline\r\nphone:/ $ ");
    shell_helper_type(shell, "false\n");
    shell_helper_type(shell, "\004");
    assert_int_equal(shell_helper_gather(shell, &seen), 1);
    shell_close(shell);
    buf_release(&seen);
}

static void control_c_ends_the_command_and_not_the_shell(void **state)
{
    static const char *const endless[] = {
        "cat\n",
        "logcat\n",
        "logcat | grep never\n",
        "while true; do true; done\n",
        "yes >/dev/null\n",
        "if true\n",
    };
    const struct shell_options options = {.pty = true};
    struct shell *shell = shell_helper_open(device_of(state), &options);
    struct buf seen = BUF_INIT(LIMIT);

    await(shell, &seen, "$ ");
    for (size_t i = 0; i < ARRAY_LEN(endless); i++) {
        buf_clear(&seen);
        shell_helper_type(shell, endless[i]);
        await(shell, &seen, "\r\n");
        shell_helper_type(shell, "\003");
        await(shell, &seen, "^C\r\n");
        await(shell, &seen, "phone:/ $ ");
        buf_clear(&seen);
        shell_helper_type(shell, "echo still $((1 + 1))\n");
        await(shell, &seen, "still 2\r\nphone:/ $ ");
    }
    shell_close(shell);
    buf_release(&seen);
}

static void an_old_interactive_shell_answers_and_ends(void **state)
{
    const struct shell_options options = {.pty = true};
    struct shell *shell = shell_helper_open(device_of(state), &options);
    struct buf seen = BUF_INIT(LIMIT);

    await(shell, &seen, "phone:/ $ ");
    shell_helper_type(shell, "echo $((6 * 7))-\nexit\n");
    assert_int_equal(shell_helper_gather(shell, &seen), -1);
    assert_non_null(strstr(buf_cstr(&seen), "42-\r\n"));
    shell_close(shell);
    buf_release(&seen);
}

static void lines_from_a_pipe_are_run_without_a_prompt(void **state)
{
    const struct shell_options options = {.command = NULL};
    struct shell *shell = shell_helper_open(device_of(state), &options);
    struct buf seen = BUF_INIT(LIMIT);
    struct err err;

    shell_helper_type(shell,
                      "echo one\nfor i in a b\ndo echo $i\ndone\nread x\nline\n"
                      "echo $x\nfalse");
    assert_true(shell_end_input(shell, SOON, &err));
    assert_int_equal(shell_helper_gather(shell, &seen), 1);
    assert_string_equal(buf_cstr(&seen), "one\na\nb\nline\n");
    shell_close(shell);
    buf_release(&seen);
}

static void followed_log_shows_new_lines(void **state)
{
    const struct shell_options options = {.command = "logcat -v brief"};
    struct fixture *fixture = *state;
    struct shell *shell = shell_helper_open(fixture->device, &options);
    struct buf seen = BUF_INIT(LIMIT);

    await(shell, &seen, "I/adbd    (  521): listening\n");
    logs_write(&fixture->phone.handset.logs, 0, 7, 'W', "Test", "news");
    await(shell, &seen, "W/Test    (    7): news\n");
    shell_close(shell);
    buf_release(&seen);
}

/* The content of a file of the phone, or "" while it does not exist. */
static const char *content_of(struct device *device, const char *path,
                              struct buf *text)
{
    char command[128];
    struct err err = ERR_INIT;

    snprintf(command, sizeof(command), "cat %s 2>/dev/null", path);
    buf_clear(text);
    if (!shell_exec(device, command, SOON, text, &err))
        fail_msg("%s", err.text);
    return buf_cstr(text);
}

static void trap_runs_when_the_host_disconnects(void **state)
{
    const struct shell_options options = {
        .command = "trap 'echo INT >/sdcard/log; exit 0' INT; "
                   "trap 'echo HUP >/sdcard/log; exit 0' HUP; "
                   "echo Waiting; read"};
    struct deadline by = SOON;
    struct shell *shell = shell_helper_open(device_of(state), &options);
    struct buf seen = BUF_INIT(LIMIT);

    await(shell, &seen, "Waiting\n");
    shell_close(shell);
    while (strcmp(content_of(device_of(state), "/sdcard/log", &seen), "HUP\n"))
        assert_false(deadline_passed(by));
    buf_release(&seen);
}

static void control_c_can_be_trapped(void **state)
{
    const struct shell_options options = {.pty = true};
    struct shell *shell = shell_helper_open(device_of(state), &options);
    struct buf seen = BUF_INIT(LIMIT);

    shell_helper_type(shell, "trap 'echo got it' INT\n");
    await(shell, &seen, "$ trap 'echo got it' INT\r\nphone:/ $ ");
    shell_helper_type(shell, "logcat -s missing\n");
    await(shell, &seen, "missing\r\n");
    shell_helper_type(shell, "\003");
    await(shell, &seen, "^C\r\ngot it\r\nphone:/ $ ");
    shell_helper_type(shell, "exit 0\n");
    assert_int_equal(shell_helper_gather(shell, &seen), 0);
    shell_close(shell);
    buf_release(&seen);
}

static void terminal_has_the_requested_type_and_size(void **state)
{
    static const char test[] =
        "for i in 0 1 2; do [ -t $i ] && echo yes $i; done; tty";
    const struct shell_options with = {.command = test, .pty = true};
    struct shell *shell = shell_helper_open(device_of(state), &with);
    struct buf seen = BUF_INIT(LIMIT);

    assert_int_equal(shell_helper_gather(shell, &seen), 0);
    assert_string_equal(buf_cstr(&seen),
                        "yes 0\r\nyes 1\r\nyes 2\r\n/dev/pts/0\r\n");
    shell_close(shell);
    buf_release(&seen);
    shell_helper_expect(device_of(state), test, "not a tty\n");
}

/* Send a signal to a shell, or to its command, until it has ended. */
static int status_after(struct device *device, const char *waits,
                        const char *ends)
{
    const struct shell_options options = {.command = waits};
    struct shell *shell = shell_helper_open(device, &options);
    struct buf seen = BUF_INIT(LIMIT);
    struct buf said = BUF_INIT(LIMIT);
    struct buf command = BUF_INIT(256);
    struct err err = ERR_INIT;
    int status;

    await(shell, &seen, "\n");
    buf_printf(&command, "P=%lu; while ! %s; do :; done 2>/dev/null",
               strtoul(buf_cstr(&seen), NULL, 10), ends);
    assert_true(shell_exec(device, buf_cstr(&command), SOON, &said, &err));
    status = shell_helper_gather(shell, &seen);
    shell_close(shell);
    buf_release(&command);
    buf_release(&seen);
    buf_release(&said);
    return status;
}

static void shell_can_kill_another(void **state)
{
    struct device *device = device_of(state);

    assert_int_equal(status_after(device, "echo $$; logcat", "kill -9 $P"),
                     137);
    assert_int_equal(
        status_after(device, "echo $$; logcat -s x; exit 3", "pkill -x logcat"),
        3);
    assert_int_equal(
        status_after(device, "trap 'exit 6' TERM; echo $$; logcat", "kill $P"),
        6);
    assert_int_equal(
        status_after(device, "echo $$; top -b >/dev/null", "killall -9 top"),
        137);
}

/* shell_phone_stop, and so the test, would never return otherwise. */
static void disconnected_hosts_leave_no_shell(void **state)
{
    static const char *const commands[] = {
        "cat",
        "logcat",
        "yes",
        "yes | cat | cat",
        "cat | while true; do true; done",
        "while true; do true; done",
        "while read x; do :; done",
        "read x </dev/zero",
        "trap 'while :; do :; done' HUP; cat",
        "trap 'sleep 1000; cat; logcat' HUP EXIT; read x",
        "timeout 1000 logcat",
        "nc -l -p 4000",
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        const struct shell_options options = {.command = commands[i]};

        shell_close(shell_helper_open(fixture->device, &options));
    }
    for (int tries = 0; fixture->phone.server.shells && tries < 2000; tries++) {
        const struct timespec moment = {.tv_nsec = 10 * 1000 * 1000};

        nanosleep(&moment, NULL);
    }
    assert_int_equal(fixture->phone.server.shells, 0);
}

static void unknown_services_are_refused(void **state)
{
    static const char *const services[] = {"shellx:id", "shell", "shell,v2"};
    struct device *device = device_of(state);

    for (size_t i = 0; i < ARRAY_LEN(services); i++) {
        struct stream *stream;
        struct err err;
        size_t got = 1;
        char byte;

        assert_true(
            device_open_service(device, services[i], SOON, &stream, &err));
        assert_true(stream_read(stream, &byte, 1, SOON, &got, &err));
        assert_int_equal(got, 0);
        stream_close(stream);
    }
}

#define WITH(start, test)                                                      \
    {                                                                          \
        .name = #test " (" #start ")", .test_func = (test),                    \
        .setup_func = (start), .teardown_func = stop                           \
    }
#define BOTH(test) WITH(start_new, test), WITH(start_classic, test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(output_errors_and_status_are_separate),
        WITH(start_old, shell_v1_mixes_output_and_errors),
        BOTH(unknown_command_has_status_127),
        BOTH(unclosed_quote_is_a_syntax_error),
        BOTH(quoted_text_arrives_unchanged),
        BOTH(many_bytes_arrive_unchanged),
        BOTH(files_outlive_the_shell_that_wrote_them),
        BOTH(shells_run_in_parallel),
        BOTH(input_comes_back_through_cat),
        BOTH(an_interactive_shell_prompts_echoes_and_exits),
        BOTH(control_d_ends_an_interactive_shell),
        BOTH(control_c_ends_the_command_and_not_the_shell),
        WITH(start_old, an_old_interactive_shell_answers_and_ends),
        BOTH(lines_from_a_pipe_are_run_without_a_prompt),
        BOTH(followed_log_shows_new_lines),
        BOTH(trap_runs_when_the_host_disconnects),
        BOTH(control_c_can_be_trapped),
        BOTH(terminal_has_the_requested_type_and_size),
        BOTH(shell_can_kill_another),
        BOTH(disconnected_hosts_leave_no_shell),
        BOTH(unknown_services_are_refused),
    };

    return cmocka_run_group_tests_name("phone's shell", tests, NULL, NULL);
}
