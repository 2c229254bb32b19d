/* Commands on a stock adbd, directly and through a stock adb server. */
#include "adb/services/shell.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/services/screenshot.h"
#include "tests/support/adb/shell_helper.h"
#include "tests/support/adb/stock_adbd.h"

#define SOON deadline_in_ms(60000)
#define LIMIT ((size_t)8 << 20)
#define MEGABYTE ((size_t)1024 * 1024)

static int open_direct(void **state)
{
    *state = stock_adbd_open(STOCK_ADBD_DIRECT);
    return 0;
}

static int open_server(void **state)
{
    *state = stock_adbd_open(STOCK_ADBD_SERVER);
    return 0;
}

static int open_old(void **state)
{
    *state = stock_adbd_open(STOCK_ADBD_OLD);
    return 0;
}

static int close_device(void **state)
{
    device_close(*state);
    return 0;
}

static void output_errors_and_status_are_separate(void **state)
{
    struct shell_result result;

    shell_helper_run(*state, "echo out; echo err >&2; exit 7", &result);
    assert_string_equal(buf_cstr(&result.out), "out\n");
    assert_string_equal(buf_cstr(&result.errors), "err\n");
    assert_int_equal(result.status, 7);
    shell_result_release(&result);
}

static void shell_v1_mixes_output_and_errors_and_has_a_status(void **state)
{
    struct shell_result result;

    shell_helper_run(*state, "echo out; echo err >&2; exit 7", &result);
    assert_non_null(strstr(buf_cstr(&result.out), "out"));
    assert_non_null(strstr(buf_cstr(&result.out), "err"));
    assert_int_equal(result.errors.length, 0);
    assert_int_equal(result.status, 7);
    shell_result_release(&result);
}

static void quoted_text_arrives_unchanged(void **state)
{
    static const char text[] = "it's $HOME `id` \"x\" \\ * 手机 ; & |\n!";
    struct buf command = BUF_INIT(1024);
    struct shell_result result;

    buf_text(&command, "printf %s ");
    shell_quote(&command, text);
    shell_helper_run(*state, buf_cstr(&command), &result);
    assert_string_equal(buf_cstr(&result.out), text);
    shell_result_release(&result);
    buf_release(&command);
}

/* Write a file of the device, whose files we can access. */
static void put_file(const char *path, const char *bytes, size_t size)
{
    const char *root = getenv("PROCTOR_PEER_ROOT");
    char name[4096];
    FILE *file;

    assert_non_null(root);
    snprintf(name, sizeof(name), "%s%s", root, path);
    file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void a_megabyte_of_every_byte_arrives_unchanged(void **state)
{
    char *bytes = shell_helper_bytes(MEGABYTE);
    struct shell_result result;
    struct buf output = BUF_INIT(LIMIT);
    struct err err = ERR_INIT;

    put_file("/tmp/bytes", bytes, MEGABYTE);
    shell_helper_run(*state, "cat /tmp/bytes", &result);
    assert_int_equal(result.out.length, MEGABYTE);
    assert_memory_equal(result.out.data, bytes, MEGABYTE);
    shell_result_release(&result);
    if (!shell_exec(*state, "cat /tmp/bytes", SOON, &output, &err))
        fail_msg("%s", err.text);
    assert_int_equal(output.length, MEGABYTE);
    assert_memory_equal(output.data, bytes, MEGABYTE);
    buf_release(&output);
    free(bytes);
}

static void input_comes_back_through_cat(void **state)
{
    shell_helper_expect_echo(*state, "cat");
}

static void the_terminal_has_the_size_it_is_given(void **state)
{
    const struct shell_options options = {.command = "read line; stty size",
                                          .pty = true};
    struct shell *shell = shell_helper_open(*state, &options);
    struct buf output = BUF_INIT(LIMIT);
    struct err err = ERR_INIT;

    assert_true(shell_resize(shell, 33, 77, SOON, &err));
    shell_helper_type(shell, "\n");
    assert_int_equal(shell_helper_gather(shell, &output), 0);
    assert_non_null(strstr(buf_cstr(&output), "33 77"));
    shell_close(shell);
    buf_release(&output);
}

static void an_interactive_shell_answers_and_exits(void **state)
{
    const struct shell_options options = {.pty = true, .term = "vt100"};
    struct shell *shell = shell_helper_open(*state, &options);
    struct buf output = BUF_INIT(LIMIT);

    shell_helper_type(shell, "echo $TERM-$((6 * 7))\n");
    shell_helper_type(shell, "exit 3\n");
    assert_int_equal(shell_helper_gather(shell, &output), 3);
    assert_non_null(strstr(buf_cstr(&output), "vt100-42"));
    shell_close(shell);
    buf_release(&output);
}

static void interactive_shell_v1_answers_and_ends(void **state)
{
    const struct shell_options options = {.pty = true};
    struct shell *shell = shell_helper_open(*state, &options);
    struct buf output = BUF_INIT(LIMIT);

    shell_helper_type(shell, "echo $((6 * 7))-\n");
    shell_helper_type(shell, "exit 3\n");
    assert_int_equal(shell_helper_gather(shell, &output), -1);
    assert_non_null(strstr(buf_cstr(&output), "42-"));
    shell_close(shell);
    buf_release(&output);
}

static void *interrupt(void *context)
{
    shell_interrupt(context);
    return NULL;
}

static void a_waiting_reader_can_be_interrupted(void **state)
{
    const struct shell_options options = {.command = "sleep 60"};
    struct shell *shell = shell_helper_open(*state, &options);
    struct shell_event event;
    struct err err = ERR_INIT;
    pthread_t thread;

    pthread_create(&thread, NULL, interrupt, shell);
    assert_false(shell_next(shell, SOON, &event, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    pthread_join(thread, NULL);
    shell_close(shell);
}

static void a_command_that_takes_too_long_times_out(void **state)
{
    struct shell_result result;
    struct err err = ERR_INIT;

    assert_false(shell_run(*state, "sleep 60", LIMIT, deadline_in_ms(200),
                           &result, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    shell_helper_run(*state, "echo still here", &result);
    assert_string_equal(buf_cstr(&result.out), "still here\n");
    shell_result_release(&result);
}

static void device_without_a_screen_reports_all_methods_tried(void **state)
{
    struct screenshot shot = SCREENSHOT_INIT;
    struct err err = ERR_INIT;

    assert_false(screenshot_take(*state, SCREENSHOT_ANY, SOON, &shot, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "screencap -p ("));
    assert_non_null(strstr(err.text, "not found"));
    assert_non_null(strstr(err.text, "framebuffer: ("));
    assert_false(
        screenshot_take(*state, SCREENSHOT_FRAMEBUFFER, SOON, &shot, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    screenshot_release(&shot);
}

/* A test over one way to the device. */
#define WITH(open, test)                                                       \
    {                                                                          \
        .name = #test " (" #open ")", .test_func = (test),                     \
        .setup_func = (open), .teardown_func = close_device                    \
    }
#define BOTH_WAYS(test) WITH(open_direct, test), WITH(open_server, test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_WAYS(output_errors_and_status_are_separate),
        WITH(open_old, shell_v1_mixes_output_and_errors_and_has_a_status),
        BOTH_WAYS(quoted_text_arrives_unchanged),
        BOTH_WAYS(a_megabyte_of_every_byte_arrives_unchanged),
        BOTH_WAYS(input_comes_back_through_cat),
        BOTH_WAYS(the_terminal_has_the_size_it_is_given),
        BOTH_WAYS(an_interactive_shell_answers_and_exits),
        WITH(open_old, interactive_shell_v1_answers_and_ends),
        BOTH_WAYS(a_waiting_reader_can_be_interrupted),
        BOTH_WAYS(a_command_that_takes_too_long_times_out),
        BOTH_WAYS(device_without_a_screen_reports_all_methods_tried),
    };

    return cmocka_run_group_tests_name("shell with peers", tests, NULL, NULL);
}
