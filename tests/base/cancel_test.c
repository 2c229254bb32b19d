#include "base/cancel.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void fired_cancel_stays_fired(void **state)
{
    struct cancel cancel = CANCEL_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(cancel_init(&cancel, &err));
    assert_false(cancel_fired(&cancel));
    cancel_fire(&cancel);
    cancel_fire(&cancel);
    assert_true(cancel_fired(&cancel));
    assert_true(cancel_fired(&cancel));
    cancel_release(&cancel);
    cancel_release(&cancel);
}

static void null_cancel_is_never_fired(void **state)
{
    struct cancel none = CANCEL_INIT;

    (void)state;
    assert_false(cancel_fired(NULL));
    assert_int_equal(cancel_fd(NULL), -1);
    cancel_release(&none);
}

static void *fire(void *cancel)
{
    cancel_fire(cancel);
    return NULL;
}

static void cancel_by_another_thread_ends_the_wait(void **state)
{
    struct cancel cancel = CANCEL_INIT;
    struct err err = ERR_INIT;
    struct pollfd pfd = {.events = POLLIN};
    pthread_t thread;

    (void)state;
    assert_true(cancel_init(&cancel, &err));
    pfd.fd = cancel_fd(&cancel);
    assert_int_equal(pthread_create(&thread, NULL, fire, &cancel), 0);
    assert_int_equal(poll(&pfd, 1, 10000), 1);
    pthread_join(thread, NULL);
    cancel_release(&cancel);
}

static struct cancel signalled = CANCEL_INIT;

static void on_signal(int number)
{
    (void)number;
    /* Calls only write(), which is safe in a signal handler. */
    cancel_fire(&signalled); /* NOLINT(bugprone-signal-handler,cert-sig30-c) */
}

static void signal_handler_may_cancel(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    assert_true(cancel_init(&signalled, &err));
    signal(SIGUSR1, on_signal);
    errno = ENOSPC;
    raise(SIGUSR1);
    assert_int_equal(errno, ENOSPC);
    assert_true(cancel_fired(&signalled));
    cancel_release(&signalled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fired_cancel_stays_fired),
        cmocka_unit_test(null_cancel_is_never_fired),
        cmocka_unit_test(cancel_by_another_thread_ends_the_wait),
        cmocka_unit_test(signal_handler_may_cancel),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
