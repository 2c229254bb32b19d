#include "adb/shell.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/support/loop_device.h"

#define SOON deadline_in_ms(60000)
#define LIMIT ((size_t)1 << 20)

static const struct loop_answer answers[] = {
    LOOP_SAYS("shell,v2,raw:both", "\x01\x06\0\0\0hello "
                                   "\x02\x05\0\0\0oh no"
                                   "\x01\x05\0\0\0world"
                                   "\x03\x01\0\0\0\x2a"),
    LOOP_SAYS("shell,v2,raw:vanish", "\x01\x02\0\0\0ok"),
    LOOP_SAYS("shell,v2,raw:nonsense", "HTTP/1.1 400 Bad Request"),
    LOOP_SAYS("shell,v2,TERM=xterm,pty:", "\x01\x02\0\0\0$ \x03\x01\0\0\0\0"),
    LOOP_SAYS("shell,v2,pty:", "\x03\x01\0\0\0\x01"),
    LOOP_SAYS("shell:old", "mixed\r\n"),
    LOOP_SAYS("exec:bytes", "a\r\nb\0c"),
    {.service = "shell,v2,raw:count",
     .takes = 5 + 3 + 5 + 5 + 10, /* "abc", close-stdin, "24x80,0x0" */
     .bytes = "\x03\x01\0\0\0\0",
     .length = 6},
};

struct fixture {
    struct loop_device *loop;
    struct device *device;
};

static struct fixture connect_with(feature_set features)
{
    const struct loop_device_options options = {
        .features = features,
        .answers = answers,
        .answer_count = ARRAY_LEN(answers),
    };
    struct fixture fixture;

    fixture.device = loop_device_phone(&options, &fixture.loop);
    return fixture;
}

static struct fixture connect_new(void)
{
    return connect_with(conn_host_features);
}

static struct fixture connect_old(void)
{
    return connect_with(0);
}

static void hang_up(struct fixture *fixture)
{
    device_close(fixture->device);
    loop_device_stop(fixture->loop);
}

static void run(struct fixture *fixture, const char *command,
                struct shell_result *result)
{
    struct err err = ERR_INIT;

    if (!shell_run(fixture->device, command, LIMIT, SOON, result, &err))
        fail_msg("%s", err.text);
}

static void output_errors_and_status_come_apart(void **state)
{
    struct fixture fixture = connect_new();
    struct shell_result result;

    (void)state;
    run(&fixture, "both", &result);
    assert_string_equal(buf_cstr(&result.out), "hello world");
    assert_string_equal(buf_cstr(&result.errors), "oh no");
    assert_int_equal(result.status, 42);
    shell_result_release(&result);
    hang_up(&fixture);
}

/* A device that never makes us wait is held to the deadline, too. */
static void output_at_hand_does_not_outlast_the_deadline(void **state)
{
    const struct shell_options options = {.command = "both"};
    struct fixture fixture = connect_new();
    struct shell_event event;
    struct shell *shell;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(shell_open(fixture.device, &options, SOON, &shell, &err));
    usleep(200000); /* for the output to arrive */
    assert_false(shell_next(shell, deadline_in_ms(0), &event, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_true(shell_next(shell, SOON, &event, &err));
    assert_int_equal(event.kind, SHELL_OUT);
    shell_close(shell);
    hang_up(&fixture);
}

static void an_old_device_mixes_them_and_tells_no_status(void **state)
{
    struct fixture fixture = connect_old();
    struct shell_result result;

    (void)state;
    run(&fixture, "old", &result);
    assert_string_equal(buf_cstr(&result.out), "mixed\r\n");
    assert_int_equal(result.errors.length, 0);
    assert_int_equal(result.status, -1);
    shell_result_release(&result);
    hang_up(&fixture);
}

static void assert_run_fails(const char *command, size_t limit,
                             enum err_code code)
{
    struct fixture fixture = connect_new();
    struct shell_result result = {.status = 7};
    struct err err = ERR_INIT;

    assert_false(
        shell_run(fixture.device, command, limit, SOON, &result, &err));
    assert_int_equal(err.code, code);
    assert_int_equal(result.status, 7);
    assert_null(result.out.data);
    hang_up(&fixture);
}

static void a_shell_that_ends_without_a_status_is_closed(void **state)
{
    (void)state;
    assert_run_fails("vanish", LIMIT, ERR_CLOSED);
}

static void a_shell_cut_at_any_byte_is_closed(void **state)
{
    const struct loop_answer whole = answers[0];

    (void)state;
    for (size_t length = 0; length < whole.length; length++) {
        const struct loop_answer cut = {
            .service = whole.service, .bytes = whole.bytes, .length = length};
        const struct loop_device_options options = {
            .features = conn_host_features,
            .answers = &cut,
            .answer_count = 1,
        };
        struct fixture fixture;
        struct shell_result result;
        struct err err = ERR_INIT;

        fixture.device = loop_device_phone(&options, &fixture.loop);
        assert_false(
            shell_run(fixture.device, "both", LIMIT, SOON, &result, &err));
        assert_int_equal(err.code, ERR_CLOSED);
        hang_up(&fixture);
    }
}

static void packets_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    assert_run_fails("nonsense", LIMIT, ERR_PROTOCOL);
}

static void more_output_than_allowed_is_refused(void **state)
{
    (void)state;
    assert_run_fails("both", 10, ERR_LIMIT);
}

static void a_command_the_device_refuses_is_named_so(void **state)
{
    (void)state;
    assert_run_fails("unknown", LIMIT, ERR_REFUSED);
}

static void exec_output_is_left_as_it_is(void **state)
{
    struct fixture fixture = connect_new();
    struct buf output = BUF_INIT(LIMIT);
    struct err err = ERR_INIT;

    (void)state;
    buf_text(&output, "before ");
    assert_true(shell_exec(fixture.device, "bytes", SOON, &output, &err));
    assert_int_equal(output.length, 13);
    assert_memory_equal(output.data, "before a\r\nb\0c", 13);
    assert_false(shell_exec(fixture.device, "unknown", SOON, &output, &err));
    assert_int_equal(err.code, ERR_REFUSED);
    assert_int_equal(output.length, 13);
    buf_release(&output);
    hang_up(&fixture);
}

static void exec_output_beyond_the_limit_is_refused(void **state)
{
    struct fixture fixture = connect_new();
    struct buf exact = BUF_INIT(6);
    struct buf small = BUF_INIT(5);
    struct err err = ERR_INIT;

    (void)state;
    assert_true(shell_exec(fixture.device, "bytes", SOON, &exact, &err));
    assert_false(shell_exec(fixture.device, "bytes", SOON, &small, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    buf_release(&exact);
    buf_release(&small);
    hang_up(&fixture);
}

static void assert_exits(struct shell *shell, int status)
{
    struct shell_event event = {.kind = SHELL_OUT};
    struct err err = ERR_INIT;

    while (event.kind != SHELL_EXIT) {
        if (!shell_next(shell, SOON, &event, &err))
            fail_msg("%s", err.text);
    }
    assert_int_equal(event.status, status);
    assert_false(shell_next(shell, SOON, &event, &err));
    assert_int_equal(err.code, ERR_CLOSED);
}

static void open_and_exit(struct fixture *fixture,
                          const struct shell_options *options, int status)
{
    struct shell *shell;
    struct err err = ERR_INIT;

    if (!shell_open(fixture->device, options, SOON, &shell, &err))
        fail_msg("%s", err.text);
    assert_exits(shell, status);
    shell_close(shell);
}

static void a_terminal_is_asked_for_with_its_name(void **state)
{
    struct fixture fixture = connect_new();
    const struct shell_options named = {.pty = true, .term = "xterm"};
    const struct shell_options unsafe = {.pty = true, .term = "x:reboot"};

    (void)state;
    open_and_exit(&fixture, &named, 0);
    open_and_exit(&fixture, &unsafe, 1);
    hang_up(&fixture);
}

static void input_its_end_and_the_window_size_are_sent(void **state)
{
    struct fixture fixture = connect_new();
    const struct shell_options options = {.command = "count"};
    struct shell *shell;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(shell_open(fixture.device, &options, SOON, &shell, &err));
    assert_true(shell_write(shell, "abc", 3, SOON, &err));
    assert_true(shell_resize(shell, 24, 80, SOON, &err));
    assert_true(shell_end_input(shell, SOON, &err));
    assert_exits(shell, 0);
    shell_close(shell);
    hang_up(&fixture);
}

static void an_old_shell_cannot_be_told_that_input_ends(void **state)
{
    struct fixture fixture = connect_old();
    const struct shell_options options = {.command = "old"};
    struct shell *shell;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(shell_open(fixture.device, &options, SOON, &shell, &err));
    assert_true(shell_resize(shell, 24, 80, SOON, &err));
    assert_false(shell_end_input(shell, SOON, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    shell_close(shell);
    hang_up(&fixture);
}

static void quoting_keeps_any_text_one_word(void **state)
{
    static const struct {
        const char *text;
        const char *quoted;
    } cases[] = {
        {"", "''"},
        {"plain", "'plain'"},
        {"two words", "'two words'"},
        {"it's", "'it'\\''s'"},
        {"$(reboot) `id` \\ \n;&|", "'$(reboot) `id` \\ \n;&|'"},
        {"'", "''\\'''"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf command = BUF_INIT(256);

        shell_quote(&command, cases[i].text);
        assert_string_equal(buf_cstr(&command), cases[i].quoted);
        buf_release(&command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_errors_and_status_come_apart),
        cmocka_unit_test(output_at_hand_does_not_outlast_the_deadline),
        cmocka_unit_test(an_old_device_mixes_them_and_tells_no_status),
        cmocka_unit_test(a_shell_that_ends_without_a_status_is_closed),
        cmocka_unit_test(a_shell_cut_at_any_byte_is_closed),
        cmocka_unit_test(packets_that_make_no_sense_are_refused),
        cmocka_unit_test(more_output_than_allowed_is_refused),
        cmocka_unit_test(a_command_the_device_refuses_is_named_so),
        cmocka_unit_test(exec_output_is_left_as_it_is),
        cmocka_unit_test(exec_output_beyond_the_limit_is_refused),
        cmocka_unit_test(a_terminal_is_asked_for_with_its_name),
        cmocka_unit_test(input_its_end_and_the_window_size_are_sent),
        cmocka_unit_test(an_old_shell_cannot_be_told_that_input_ends),
        cmocka_unit_test(quoting_keeps_any_text_one_word),
    };

    return cmocka_run_group_tests_name("shell", tests, NULL, NULL);
}
