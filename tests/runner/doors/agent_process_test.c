#include "runner/doors/agent_process.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "tests/support/scratch_folder.h"

#define SOON deadline_in_ms(60000)

static struct err err = ERR_INIT;

struct fixture {
    struct secret_mask mask;
    struct agent_process process;
};

static void start_with(struct fixture *fixture, const char *command,
                       const char *const *settings)
{
    const struct agent_process_options options = {
        .supervisor = TEST_SUPERVISOR,
        .command = command,
        .settings = settings,
        .out = "out",
        .errors = "errors",
        .mask = &fixture->mask,
    };

    secret_mask_init(&fixture->mask);
    if (!agent_process_start(&fixture->process, &options, &err))
        fail_msg("%s", err.text);
}

static void start(struct fixture *fixture, const char *command)
{
    start_with(fixture, command, NULL);
}

static int stop(struct fixture *fixture)
{
    int status;

    if (!agent_process_stop(&fixture->process, &status, &err))
        fail_msg("%s", err.text);
    secret_mask_release(&fixture->mask);
    return status;
}

static void release(struct fixture *fixture)
{
    agent_process_release(&fixture->process);
}

static void assert_file(const char *path, const char *text)
{
    struct buf content = BUF_INIT(10000);

    assert_true(file_load(path, &content, &err));
    assert_string_equal(buf_cstr(&content), text);
    buf_release(&content);
}

/* Wait until a program has written its process id to a file. */
static pid_t read_pid(const char *path)
{
    for (int i = 0; i < 6000; i++) {
        struct buf content = BUF_INIT(100);
        pid_t pid = 0;

        if (file_load(path, &content, &err) && strchr(buf_cstr(&content), '\n'))
            pid = (pid_t)strtol(buf_cstr(&content), NULL, 10);
        buf_release(&content);
        if (pid)
            return pid;
        usleep(10000);
    }
    fail_msg("%s was not written", path);
    return 0;
}

static void assert_gone(pid_t pid)
{
    assert_int_equal(kill(pid, 0), -1);
    assert_int_equal(errno, ESRCH);
}

static void a_program_runs_to_its_end(void **state)
{
    const char *const settings[] = {"AGENT_TEST=a setting", NULL};
    struct fixture fixture;

    (void)state;
    start_with(&fixture, "echo \"$AGENT_TEST\"; echo oh no >&2; exit 3",
               settings);
    assert_true(agent_process_wait(&fixture.process, SOON, NULL, NULL, &err));
    assert_int_equal(stop(&fixture), 3);
    assert_file("out", "a setting\n");
    assert_file("errors", "oh no\n");
    assert_string_equal(buf_cstr(&fixture.process.out.last), "a setting\n");
    release(&fixture);
}

static void a_program_has_no_input(void **state)
{
    struct fixture fixture;

    (void)state;
    start(&fixture, "wc -c");
    assert_true(agent_process_wait(&fixture.process, SOON, NULL, NULL, &err));
    assert_int_equal(stop(&fixture), 0);
    assert_file("out", "0\n");
    release(&fixture);
}

static void a_missing_program_and_a_signal_have_a_shells_status(void **state)
{
    struct fixture fixture;

    (void)state;
    start(&fixture, "no-such-program-as-this");
    assert_true(agent_process_wait(&fixture.process, SOON, NULL, NULL, &err));
    assert_int_equal(stop(&fixture), 127);
    release(&fixture);
    start(&fixture, "kill -KILL $$");
    assert_true(agent_process_wait(&fixture.process, SOON, NULL, NULL, &err));
    assert_int_equal(stop(&fixture), 137);
    release(&fixture);
}

static void waiting_ends_at_the_deadline_and_when_it_is_cancelled(void **state)
{
    struct cancel fired = CANCEL_INIT;
    struct fixture fixture;
    struct err why = ERR_INIT;

    (void)state;
    assert_true(cancel_init(&fired, &err));
    cancel_fire(&fired);
    start(&fixture, "exec sleep 1000");
    assert_false(agent_process_wait(&fixture.process, deadline_in_ms(10), NULL,
                                    NULL, &why));
    assert_int_equal(why.code, ERR_TIMEOUT);
    assert_false(
        agent_process_wait(&fixture.process, SOON, &fired, NULL, &why));
    assert_int_equal(why.code, ERR_CANCELLED);
    assert_false(
        agent_process_wait(&fixture.process, SOON, NULL, &fired, &why));
    assert_int_equal(why.code, ERR_CLOSED);
    assert_int_equal(stop(&fixture), 128 + SIGTERM);
    release(&fixture);
    cancel_release(&fired);
}

/* One in the background, and one in its own session. */
static void no_process_stays_behind_when_the_program_ends(void **state)
{
    struct fixture fixture;
    pid_t first, second;

    (void)state;
    start(&fixture,
          "sleep 1000 & echo $! > first\n"
          "setsid sh -c 'trap \"\" TERM HUP; echo $$ > second; sleep 1000' &\n"
          "until test -s second; do sleep 0.01; done");
    assert_true(agent_process_wait(&fixture.process, SOON, NULL, NULL, &err));
    assert_int_equal(stop(&fixture), 0);
    first = read_pid("first");
    second = read_pid("second");
    assert_gone(first);
    assert_gone(second);
    release(&fixture);
}

static void stopping_ends_a_program_that_ignores_sigterm(void **state)
{
    struct fixture fixture;
    pid_t pid;

    (void)state;
    start(&fixture, "trap '' TERM; echo $$ > stubborn; "
                    "while :; do sleep 0.1; done");
    pid = read_pid("stubborn");
    assert_int_equal(stop(&fixture), 137);
    assert_gone(pid);
    release(&fixture);
}

/* As after a kill -9 of proctor: only the pipe notifies the supervisor. */
static void the_program_ends_when_its_caller_is_killed(void **state)
{
    pid_t caller = fork();
    pid_t pid;

    (void)state;
    assert_true(caller >= 0);
    if (!caller) {
        struct fixture fixture;

        start(&fixture, "echo $$ > orphan; exec sleep 1000");
        pause();
        _exit(0);
    }
    pid = read_pid("orphan");
    kill(caller, SIGKILL);
    waitpid(caller, NULL, 0);
    for (int i = 0; i < 6000 && !kill(pid, 0); i++)
        usleep(10000);
    assert_gone(pid);
}

static void a_flood_of_output_is_bounded(void **state)
{
    struct fixture fixture;
    struct buf content = BUF_INIT((size_t)OUTPUT_LOG_MAX + 1000);

    (void)state;
    start(&fixture, "head -c 100000000 /dev/zero | tr '\\0' x; "
                    "echo; echo the answer");
    assert_true(agent_process_wait(&fixture.process, SOON, NULL, NULL, &err));
    assert_int_equal(stop(&fixture), 0);
    assert_string_equal(buf_cstr(&fixture.process.out.last), "the answer\n");
    assert_true(file_load("out", &content, &err));
    buf_release(&content);
    release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_runs_to_its_end),
        cmocka_unit_test(a_program_has_no_input),
        cmocka_unit_test(a_missing_program_and_a_signal_have_a_shells_status),
        cmocka_unit_test(waiting_ends_at_the_deadline_and_when_it_is_cancelled),
        cmocka_unit_test(no_process_stays_behind_when_the_program_ends),
        cmocka_unit_test(stopping_ends_a_program_that_ignores_sigterm),
        cmocka_unit_test(the_program_ends_when_its_caller_is_killed),
        cmocka_unit_test(a_flood_of_output_is_bounded),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
