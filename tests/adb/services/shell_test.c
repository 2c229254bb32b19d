#include "adb/services/shell.h"

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/support/adb/loopback_device.h"
#include "tests/support/adb/old_phone.h"

#define SOON deadline_in_ms(60000)
#define LIMIT ((size_t)1 << 20)

static sem_t written; /* posted when "posted" has written its output */

static void write_and_post(void *context, struct stream *stream)
{
    static const char output[] = "\x01\x02\0\0\0ok\x03\x01\0\0\0\0";
    struct err err;

    (void)context;
    if (stream_write(stream, output, sizeof(output) - 1, SOON, &err))
        sem_post(&written);
}

static const struct loopback_answer answers[] = {
    LOOPBACK_SAYS("shell,v2,raw:both", "\x01\x06\0\0\0hello "
                                       "\x02\x05\0\0\0oh no"
                                       "\x01\x05\0\0\0world"
                                       "\x03\x01\0\0\0\x2a"),
    LOOPBACK_SAYS("shell,v2,raw:vanish", "\x01\x02\0\0\0ok"),
    LOOPBACK_SAYS("shell,v2,raw:nonsense", "HTTP/1.1 400 Bad Request"),
    LOOPBACK_SAYS("shell,v2,TERM=xterm,pty:",
                  "\x01\x02\0\0\0$ \x03\x01\0\0\0\0"),
    LOOPBACK_SAYS("shell,v2,pty:", "\x03\x01\0\0\0\x01"),
    LOOPBACK_SAYS("shell:( old\n); echo __proctor_status:$?", "mixed\r\n"),
    LOOPBACK_SAYS("exec:bytes", "a\r\nb\0c"),
    {.service = "shell,v2,raw:posted", .serve = write_and_post},
    {.service = "shell,v2,raw:count",
     .takes = 5 + 3 + 5 + 5 + 10, /* "abc", close-stdin, "24x80,0x0" */
     .bytes = "\x03\x01\0\0\0\0",
     .length = 6},
};

struct fixture {
    struct loopback_device *loop;
    struct device *device;
};

static struct fixture connect_with(feature_set features)
{
    const struct loopback_device_options options = {
        .features = features,
        .answers = answers,
        .answer_count = ARRAY_LEN(answers),
    };
    struct fixture fixture;

    fixture.device = loopback_device_phone(&options, &fixture.loop);
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

static void disconnect(struct fixture *fixture)
{
    device_close(fixture->device);
    loopback_device_stop(fixture->loop);
}

static void run(struct fixture *fixture, const char *command,
                struct shell_result *result)
{
    struct err err = ERR_INIT;

    if (!shell_run(fixture->device, command, LIMIT, SOON, result, &err))
        fail_msg("%s", err.text);
}

static void output_errors_and_status_are_separate(void **state)
{
    struct fixture fixture = connect_new();
    struct shell_result result;

    (void)state;
    run(&fixture, "both", &result);
    assert_string_equal(buf_cstr(&result.out), "hello world");
    assert_string_equal(buf_cstr(&result.errors), "oh no");
    assert_int_equal(result.status, 42);
    shell_result_release(&result);
    disconnect(&fixture);
}

/*
 * Return when the output of "posted" has arrived: it was sent when written is
 * posted, and an echo follows it.
 */
static void await_output(struct fixture *fixture)
{
    struct stream *echo;
    struct err err;
    char byte = 'x';

    assert_int_equal(sem_wait(&written), 0);
    assert_true(
        device_open_service(fixture->device, "echo:", SOON, &echo, &err));
    assert_true(stream_write(echo, &byte, 1, SOON, &err));
    assert_true(stream_read_exact(echo, &byte, 1, SOON, &err));
    stream_close(echo);
}

/* The deadline also applies to a device that always has output. */
static void endless_output_ends_at_the_deadline(void **state)
{
    const struct shell_options options = {.command = "posted"};
    struct fixture fixture = connect_new();
    struct shell_event event;
    struct shell *shell;
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(sem_init(&written, 0, 0), 0);
    assert_true(shell_open(fixture.device, &options, SOON, &shell, &err));
    await_output(&fixture);
    assert_false(shell_next(shell, deadline_in_ms(0), &event, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_true(shell_next(shell, SOON, &event, &err));
    assert_int_equal(event.kind, SHELL_OUT);
    shell_close(shell);
    disconnect(&fixture);
}

static void an_old_device_that_prints_no_status_has_none(void **state)
{
    struct fixture fixture = connect_old();
    struct shell_result result;

    (void)state;
    run(&fixture, "old", &result);
    assert_string_equal(buf_cstr(&result.out), "mixed\r\n");
    assert_int_equal(result.errors.length, 0);
    assert_int_equal(result.status, -1);
    shell_result_release(&result);
    disconnect(&fixture);
}

/* The same with a real shell and terminal. */
static void an_old_device_prints_the_status_of_each_command(void **state)
{
    static const struct {
        const char *command;
        const char *out;
        int status;
    } cases[] = {
        {"true", "", 0},
        {"false", "", 1},
        {"exit 7", "", 7},
        {"echo a; echo b >&2; exit 3", "a\nb\n", 3},
        {"printf a", "a", 0},
        {"printf 'a\\r\\nb\\r'", "a\r\nb\r", 0},
        {"echo a # and a comment", "a\n", 0},
        {"(exit 4)", "", 4},
        {"cat <<END\na\nEND", "a\n", 0},
        {"kill -9 $$", "", -1},
        {"no-such-command 2>/dev/null", "", 127},
        {"echo __proctor_status:5", "__proctor_status:5\n", 0},
    };
    struct old_phone *phone = old_phone_start(0);
    struct device *device = old_phone_open(phone);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct shell_result result;
        struct err err = ERR_INIT;

        if (!shell_run(device, cases[i].command, LIMIT, SOON, &result, &err))
            fail_msg("%s: %s", cases[i].command, err.text);
        assert_string_equal(buf_cstr(&result.out), cases[i].out);
        assert_int_equal(result.errors.length, 0);
        assert_int_equal(result.status, cases[i].status);
        shell_result_release(&result);
    }
    device_close(device);
    old_phone_stop(phone);
}

/* All output of a session, and its status. */
static int finish_session(struct shell *shell, struct buf *out)
{
    struct shell_event event;
    struct err err = ERR_INIT;

    do {
        if (!shell_next(shell, SOON, &event, &err))
            fail_msg("%s", err.text);
        if (event.kind == SHELL_OUT)
            buf_append(out, event.data, event.length);
    } while (event.kind != SHELL_EXIT);
    return event.status;
}

static void the_input_of_an_old_device_can_be_ended(void **state)
{
    static const char *const inputs[] = {"", "line\n", "line\nno line end"};
    const struct shell_options options = {.command = "wc -c", .status = true};
    struct old_phone *phone = old_phone_start(0);
    struct device *device = old_phone_open(phone);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(inputs); i++) {
        struct buf out = BUF_INIT(1000);
        struct err err = ERR_INIT;
        struct shell *shell;
        char count[16];

        assert_true(shell_open(device, &options, SOON, &shell, &err));
        assert_true(
            shell_write(shell, inputs[i], strlen(inputs[i]), SOON, &err));
        assert_true(shell_end_input(shell, SOON, &err));
        assert_int_equal(finish_session(shell, &out), 0);
        snprintf(count, sizeof(count), "%zu\r\n", strlen(inputs[i]));
        assert_non_null(strstr(buf_cstr(&out), count));
        shell_close(shell);
        buf_release(&out);
    }
    device_close(device);
    old_phone_stop(phone);
}

/* Android before 5: twice, as exec: is not tried a second time. */
static void without_exec_binary_output_comes_unchanged(void **state)
{
    struct old_phone *phone = old_phone_start(0);
    struct device *device = old_phone_open(phone);

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct buf out = BUF_INIT(LIMIT);
        struct err err = ERR_INIT;

        if (!shell_exec(device, "printf 'a\\r\\n\\nb\\000\\377\\r'", SOON, &out,
                        &err))
            fail_msg("%s", err.text);
        assert_int_equal(out.length, 8);
        assert_memory_equal(out.data, "a\r\n\nb\0\377\r", 8);
        assert_true(device_has_no_exec(device));
        buf_release(&out);
    }
    device_close(device);
    old_phone_stop(phone);
}

static void a_device_with_shell_v2_that_refuses_exec_is_refused(void **state)
{
    struct fixture fixture = connect_new();
    struct buf out = BUF_INIT(LIMIT);
    struct err err = ERR_INIT;

    (void)state;
    assert_false(shell_exec(fixture.device, "unknown", SOON, &out, &err));
    assert_int_equal(err.code, ERR_REFUSED);
    assert_false(device_has_no_exec(fixture.device));
    buf_release(&out);
    disconnect(&fixture);
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
    disconnect(&fixture);
}

static void a_shell_that_ends_without_a_status_is_closed(void **state)
{
    (void)state;
    assert_run_fails("vanish", LIMIT, ERR_CLOSED);
}

static void shell_stream_truncated_at_any_byte_is_closed(void **state)
{
    const struct loopback_answer whole = answers[0];

    (void)state;
    for (size_t length = 0; length < whole.length; length++) {
        const struct loopback_answer cut = {
            .service = whole.service, .bytes = whole.bytes, .length = length};
        const struct loopback_device_options options = {
            .features = conn_host_features,
            .answers = &cut,
            .answer_count = 1,
        };
        struct fixture fixture;
        struct shell_result result;
        struct err err = ERR_INIT;

        fixture.device = loopback_device_phone(&options, &fixture.loop);
        assert_false(
            shell_run(fixture.device, "both", LIMIT, SOON, &result, &err));
        assert_int_equal(err.code, ERR_CLOSED);
        disconnect(&fixture);
    }
}

static void invalid_packets_are_refused(void **state)
{
    (void)state;
    assert_run_fails("nonsense", LIMIT, ERR_PROTOCOL);
}

static void more_output_than_allowed_is_refused(void **state)
{
    (void)state;
    assert_run_fails("both", 10, ERR_LIMIT);
}

static void refused_command_is_reported(void **state)
{
    (void)state;
    assert_run_fails("unknown", LIMIT, ERR_REFUSED);
}

static void exec_output_is_unchanged(void **state)
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
    disconnect(&fixture);
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
    disconnect(&fixture);
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

static void terminal_is_requested_with_its_name(void **state)
{
    struct fixture fixture = connect_new();
    const struct shell_options named = {.pty = true, .term = "xterm"};
    const struct shell_options unsafe = {.pty = true, .term = "x:reboot"};

    (void)state;
    open_and_exit(&fixture, &named, 0);
    open_and_exit(&fixture, &unsafe, 1);
    disconnect(&fixture);
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
    disconnect(&fixture);
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
        cmocka_unit_test(output_errors_and_status_are_separate),
        cmocka_unit_test(endless_output_ends_at_the_deadline),
        cmocka_unit_test(an_old_device_that_prints_no_status_has_none),
        cmocka_unit_test(an_old_device_prints_the_status_of_each_command),
        cmocka_unit_test(the_input_of_an_old_device_can_be_ended),
        cmocka_unit_test(without_exec_binary_output_comes_unchanged),
        cmocka_unit_test(a_device_with_shell_v2_that_refuses_exec_is_refused),
        cmocka_unit_test(a_shell_that_ends_without_a_status_is_closed),
        cmocka_unit_test(shell_stream_truncated_at_any_byte_is_closed),
        cmocka_unit_test(invalid_packets_are_refused),
        cmocka_unit_test(more_output_than_allowed_is_refused),
        cmocka_unit_test(refused_command_is_reported),
        cmocka_unit_test(exec_output_is_unchanged),
        cmocka_unit_test(exec_output_beyond_the_limit_is_refused),
        cmocka_unit_test(terminal_is_requested_with_its_name),
        cmocka_unit_test(input_its_end_and_the_window_size_are_sent),
        cmocka_unit_test(quoting_keeps_any_text_one_word),
    };

    return cmocka_run_group_tests_name("shell", tests, NULL, NULL);
}
