#include "base/child.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

#define SOON deadline_in_ms(20000)

static struct err err;

static void start(struct child *child, const struct child_command *command)
{
    bool done = child_start(child, command, &err);

    if (!done)
        print_error("%s\n", err.text);
    assert_true(done);
}

static void start_shell(struct child *child, const char *script)
{
    const char *const arguments[] = {"sh", "-c", script, NULL};

    start(child, &(struct child_command){.arguments = arguments});
}

static void assert_says(struct child *child, const char *expected)
{
    struct buf output = BUF_INIT(1 << 20);

    assert_true(child_read_all(child, SOON, NULL, &output, &err));
    assert_string_equal(buf_cstr(&output), expected);
    buf_release(&output);
}

static void arguments_reach_the_program_as_they_are(void **state)
{
    const char *const arguments[] = {"printf", "<%s>", "a b",
                                     "$(id)",  "*",    NULL};
    struct child child = CHILD_INIT;

    (void)state;
    start(&child, &(struct child_command){.arguments = arguments});
    assert_says(&child, "<a b><$(id)><*>");
    assert_int_equal(child_stop(&child), 0);
}

static void a_program_that_is_not_there_is_not_found(void **state)
{
    const char *const arguments[] = {"no-such-program-as-this", NULL};
    const struct child_command command = {.arguments = arguments};
    struct child child = CHILD_INIT;

    (void)state;
    assert_false(child_start(&child, &command, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "no-such-program-as-this"));
    assert_int_equal(child.pid, 0);
}

static void a_setting_replaces_ours_and_no_other(void **state)
{
    const char *const arguments[] = {"sh", "-c",
                                     "env | grep ^CHILD_TEST | sort", NULL};
    struct child child = CHILD_INIT;

    (void)state;
    assert_int_equal(setenv("CHILD_TEST", "ours", 1), 0);
    assert_int_equal(setenv("CHILD_TEST_B", "kept", 1), 0);
    start(&child, &(struct child_command){.arguments = arguments,
                                          .setting = "CHILD_TEST=its"});
    assert_says(&child, "CHILD_TEST=its\nCHILD_TEST_B=kept\n");
    child_stop(&child);
    start(&child, &(struct child_command){.arguments = arguments});
    assert_says(&child, "CHILD_TEST=ours\nCHILD_TEST_B=kept\n");
    child_stop(&child);
}

static void complaints_go_with_the_output_or_to_a_file(void **state)
{
    const char *const arguments[] = {"sh", "-c", "echo no >&2; echo yes", NULL};
    struct child child = CHILD_INIT;
    struct buf log = BUF_INIT(100);
    char file[] = "/tmp/child_test.XXXXXX";

    (void)state;
    start_shell(&child, arguments[2]);
    assert_says(&child, "no\nyes\n");
    child_stop(&child);
    close(mkstemp(file));
    start(&child,
          &(struct child_command){.arguments = arguments, .errors = file});
    assert_says(&child, "yes\n");
    child_stop(&child);
    assert_true(file_load(file, &log, &err));
    assert_string_equal(buf_cstr(&log), "no\n");
    buf_release(&log);
    unlink(file);
}

static void a_program_that_reads_to_the_end_is_told_of_it(void **state)
{
    struct child child = CHILD_INIT;

    (void)state;
    start_shell(&child, "wc -c");
    assert_true(child_write(&child, "12345", 5, SOON, NULL, &err));
    child_end_input(&child);
    assert_says(&child, "5\n");
    assert_int_equal(child_stop(&child), 0);
}

static void what_follows_a_line_is_not_lost(void **state)
{
    struct child child = CHILD_INIT;
    struct buf line = BUF_INIT(100);

    (void)state;
    start_shell(&child, "printf 'first\\nand all\\nthat follows'");
    assert_true(child_read(&child, SOON, NULL, &line, &err));
    assert_string_equal(buf_cstr(&line), "first");
    assert_says(&child, "and all\nthat follows");
    child_stop(&child);
    buf_release(&line);
}

static void more_output_than_is_taken_is_an_error(void **state)
{
    struct child child = CHILD_INIT;
    struct buf output = BUF_INIT(1 << 20);

    (void)state;
    start_shell(&child, "tr '\\0' x < /dev/zero");
    assert_false(child_read_all(&child, SOON, NULL, &output, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    child_stop(&child);
    buf_release(&output);
}

static void a_program_that_does_not_end_is_ended(void **state)
{
    struct child child = CHILD_INIT;
    struct buf output = BUF_INIT(100 << 10);

    (void)state;
    start_shell(&child, "sleep 60");
    assert_false(
        child_read_all(&child, deadline_in_ms(50), NULL, &output, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_int_equal(child_stop(&child), 128 + SIGTERM);
    buf_release(&output);
}

static void a_program_that_does_not_listen_harms_nobody(void **state)
{
    static const char *const arguments[] = {"true", NULL};
    const struct child_command command = {.arguments = arguments};
    struct child child = CHILD_INIT;
    static const char much[1 << 20];

    (void)state;
    assert_true(child_start(&child, &command, &err));
    assert_false(child_write(&child, much, sizeof(much), deadline_in_ms(60000),
                             NULL, &err));
    assert_int_equal(err.code, ERR_CLOSED);
    assert_int_equal(child_stop(&child), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_reach_the_program_as_they_are),
        cmocka_unit_test(a_program_that_is_not_there_is_not_found),
        cmocka_unit_test(a_setting_replaces_ours_and_no_other),
        cmocka_unit_test(complaints_go_with_the_output_or_to_a_file),
        cmocka_unit_test(a_program_that_reads_to_the_end_is_told_of_it),
        cmocka_unit_test(what_follows_a_line_is_not_lost),
        cmocka_unit_test(more_output_than_is_taken_is_an_error),
        cmocka_unit_test(a_program_that_does_not_end_is_ended),
        cmocka_unit_test(a_program_that_does_not_listen_harms_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
