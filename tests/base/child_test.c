#include "base/child.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

#define SOON deadline_in_ms(60000)

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

static void arguments_reach_the_program_unchanged(void **state)
{
    const char *const arguments[] = {"printf", "<%s>", "a b",
                                     "$(id)",  "*",    NULL};
    struct child child = CHILD_INIT;

    (void)state;
    start(&child, &(struct child_command){.arguments = arguments});
    assert_says(&child, "<a b><$(id)><*>");
    assert_int_equal(child_stop(&child), 0);
}

static void missing_program_is_not_found(void **state)
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

static void settings_replace_ours_and_no_others(void **state)
{
    const char *const settings[] = {"CHILD_TEST=its", "CHILD_TEST_C=new", NULL};
    const char *const arguments[] = {"sh", "-c",
                                     "env | grep ^CHILD_TEST | sort", NULL};
    struct child child = CHILD_INIT;

    (void)state;
    assert_int_equal(setenv("CHILD_TEST", "ours", 1), 0);
    assert_int_equal(setenv("CHILD_TEST_B", "kept", 1), 0);
    start(&child, &(struct child_command){.arguments = arguments,
                                          .settings = settings});
    assert_says(&child,
                "CHILD_TEST=its\nCHILD_TEST_B=kept\nCHILD_TEST_C=new\n");
    child_stop(&child);
    start(&child, &(struct child_command){.arguments = arguments});
    assert_says(&child, "CHILD_TEST=ours\nCHILD_TEST_B=kept\n");
    child_stop(&child);
}

static void stderr_goes_to_the_output_or_to_a_file(void **state)
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

static void separate_errors_are_read_from_their_own_pipe(void **state)
{
    const char *const arguments[] = {"sh", "-c", "echo no >&2; echo yes", NULL};
    struct child child = CHILD_INIT;
    char errors[8] = "";

    (void)state;
    start(&child, &(struct child_command){.arguments = arguments,
                                          .separate_errors = true});
    assert_says(&child, "yes\n");
    assert_int_equal(read(child.err, errors, sizeof(errors) - 1), 3);
    assert_string_equal(errors, "no\n");
    child_stop(&child);
}

static void program_sees_the_end_of_its_input(void **state)
{
    struct child child = CHILD_INIT;

    (void)state;
    start_shell(&child, "wc -c");
    assert_true(child_write(&child, "12345", 5, SOON, NULL, &err));
    child_end_input(&child);
    assert_says(&child, "5\n");
    assert_int_equal(child_stop(&child), 0);
}

static void bytes_after_a_line_are_not_lost(void **state)
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

static void output_beyond_the_limit_is_an_error(void **state)
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

static void program_is_killed_at_the_deadline(void **state)
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

static void program_that_does_not_read_is_no_problem(void **state)
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
        cmocka_unit_test(arguments_reach_the_program_unchanged),
        cmocka_unit_test(missing_program_is_not_found),
        cmocka_unit_test(settings_replace_ours_and_no_others),
        cmocka_unit_test(stderr_goes_to_the_output_or_to_a_file),
        cmocka_unit_test(separate_errors_are_read_from_their_own_pipe),
        cmocka_unit_test(program_sees_the_end_of_its_input),
        cmocka_unit_test(bytes_after_a_line_are_not_lost),
        cmocka_unit_test(output_beyond_the_limit_is_an_error),
        cmocka_unit_test(program_is_killed_at_the_deadline),
        cmocka_unit_test(program_that_does_not_read_is_no_problem),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
