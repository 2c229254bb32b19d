/* The shell in a real terminal, with a real device. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/tools/cli/command_run.h"
#include "tests/tools/cli/pty.h"

/* A shell on the device, once it takes keys. */
static void start_shell(struct pty *pty, const char *options)
{
    char script[512];

    snprintf(script, sizeof(script),
             "exec " PROCTOR_FOLDER "/proctor -s %s shell %s",
             getenv("PROCTOR_PEER_ADBD"), options);
    pty_start(pty, script);
    assert_true(pty_is_raw(pty));
    pty_expect(pty, "# ");
}

/* Start a long command, and wait until it gets the keys. */
static void start_sleeping(struct pty *pty)
{
    pty_type(pty, "sh -c 'echo be\"\"gun; exec sleep 100'\r");
    pty_expect(pty, "begun");
}

static void a_session_passes_its_status_on_and_restores_the_terminal(
    void **state)
{
    struct pty pty;

    (void)state;
    start_shell(&pty, "");
    pty_type(&pty, "echo a$((40 + 2))b\r");
    pty_expect(&pty, "a42b");
    pty_type(&pty, "exit 3\r");
    assert_int_equal(pty_wait(&pty), 3);
    assert_true(pty_is_restored(&pty));
    pty_release(&pty);
}

static void the_device_sees_a_terminal_of_our_kind_and_size(void **state)
{
    struct pty pty;

    (void)state;
    start_shell(&pty, "");
    pty_type(&pty, "echo term=$TERM; stty size\r");
    pty_expect(&pty, "term=xterm");
    pty_expect(&pty, "24 80");
    pty_resize(&pty, 40, 100);
    pty_type(&pty, "until stty size | grep '40 1[0]0'; do :; done\r");
    pty_expect(&pty, "40 100");
    pty_type(&pty, "exit\r");
    assert_int_equal(pty_wait(&pty), 0);
    pty_release(&pty);
}

static void interrupt_keys_reach_the_device(void **state)
{
    struct pty pty;

    (void)state;
    start_shell(&pty, "");
    start_sleeping(&pty);
    pty_type(&pty, "\003");
    pty_expect(&pty, "# ");
    pty_type(&pty, "echo st''ill here\r");
    pty_expect(&pty, "still here");
    pty_type(&pty, "exit 0\r");
    assert_int_equal(pty_wait(&pty), 0);
    pty_release(&pty);
}

static void signals_restore_the_terminal(void **state)
{
    static const int signals[] = {SIGTERM, SIGHUP, SIGINT};
    struct pty pty;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        start_shell(&pty, "");
        assert_int_equal(kill(pty.pid, signals[i]), 0);
        assert_int_equal(pty_wait(&pty), 130);
        assert_true(pty_is_restored(&pty));
        pty_release(&pty);
    }
}

static void escape_keys_leave_a_hanging_shell(void **state)
{
    struct pty pty;

    (void)state;
    start_shell(&pty, "");
    start_sleeping(&pty);
    pty_type(&pty, "\r~.");
    assert_int_equal(pty_wait(&pty), 130);
    assert_true(pty_is_restored(&pty));
    pty_release(&pty);
}

static void a_command_gets_a_terminal_only_when_asked(void **state)
{
    struct pty pty;
    char script[256];

    (void)state;
    snprintf(script, sizeof(script),
             "p='" PROCTOR_FOLDER "/proctor -s %s shell'; $p -t tty;"
             " $p tty; $p -T tty",
             getenv("PROCTOR_PEER_ADBD"));
    pty_start(&pty, script);
    pty_expect(&pty, "/dev/pts/");
    pty_expect(&pty, "not a tty");
    pty_expect(&pty, "not a tty");
    assert_int_equal(pty_wait(&pty), 1);
    assert_true(pty_is_restored(&pty));
    pty_release(&pty);
}

/* Another adbd, which can be killed without ending our device. */
static pid_t start_doomed_device(void)
{
    struct command_run run = {0};
    pid_t pid;

    RUN(&run, 0,
        "env -i PATH=/usr/sbin:/usr/bin HOME=/data ADBD_PORT=6777"
        " chroot \"$PROCTOR_PEER_ROOT\" /usr/sbin/adbd >/dev/null 2>&1 &"
        " echo $!; await proctor -s 127.0.0.1:6777 shell true 2>/dev/null");
    pid = (pid_t)strtol(buf_cstr(&run.out), NULL, 10);
    command_run_release(&run);
    assert_true(pid > 1);
    return pid;
}

static void lost_device_is_reported_and_restores_the_terminal(void **state)
{
    pid_t device = start_doomed_device();
    struct pty pty;

    (void)state;
    pty_start(&pty, "exec " PROCTOR_FOLDER "/proctor -s 127.0.0.1:6777 shell");
    assert_true(pty_is_raw(&pty));
    pty_expect(&pty, "# ");
    assert_int_equal(kill(device, SIGKILL), 0);
    assert_int_equal(pty_wait(&pty), 5);
    assert_true(pty_is_restored(&pty));
    SAYS(pty.seen, "proctor: ");
    pty_release(&pty);
}

static void push_shows_and_removes_a_progress_bar(void **state)
{
    struct pty pty;
    char script[512];

    (void)state;
    snprintf(script, sizeof(script),
             "truncate -s 200M $TMPDIR/zeros; " PROCTOR_FOLDER
             "/proctor -s %s push -z none $TMPDIR/zeros /data/local/tmp/;"
             " rm $TMPDIR/zeros $PROCTOR_PEER_ROOT/data/local/tmp/zeros",
             getenv("PROCTOR_PEER_ADBD"));
    pty_start(&pty, script);
    pty_expect(&pty, "zeros");
    pty_expect(&pty, "% [=");
    pty_expect(&pty, "iB/s");
    pty_expect(&pty, "\r\033[Kpushed 1 file, 200.0 MiB in ");
    assert_int_equal(pty_wait(&pty), 0);
    pty_release(&pty);
}

static void picture_is_not_written_to_a_terminal(void **state)
{
    struct pty pty;

    (void)state;
    pty_start(&pty, PROCTOR_FOLDER "/proctor shot -o -");
    pty_expect(&pty, "the output is a terminal; give a file with -o");
    assert_int_equal(pty_wait(&pty), 2);
    pty_release(&pty);
}

static void colours_are_used_only_on_terminals(void **state)
{
    struct pty pty;

    (void)state;
    pty_start(&pty, "stty -opost; p=" PROCTOR_FOLDER "/proctor;"
                    " $p devices; echo -; NO_COLOR=1 $p devices; echo -;"
                    " TERM=dumb $p devices; echo end; stty opost");
    pty_expect(&pty, "\033[1mSERIAL\033[0m");
    pty_expect(&pty, "-\nSERIAL");
    pty_expect(&pty, "-\nSERIAL");
    pty_expect(&pty, "end");
    assert_int_equal(pty_wait(&pty), 0);
    pty_release(&pty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_session_passes_its_status_on_and_restores_the_terminal),
        cmocka_unit_test(the_device_sees_a_terminal_of_our_kind_and_size),
        cmocka_unit_test(interrupt_keys_reach_the_device),
        cmocka_unit_test(signals_restore_the_terminal),
        cmocka_unit_test(escape_keys_leave_a_hanging_shell),
        cmocka_unit_test(a_command_gets_a_terminal_only_when_asked),
        cmocka_unit_test(lost_device_is_reported_and_restores_the_terminal),
        cmocka_unit_test(push_shows_and_removes_a_progress_bar),
        cmocka_unit_test(picture_is_not_written_to_a_terminal),
        cmocka_unit_test(colours_are_used_only_on_terminals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
