/* A phone that keeps its connection and stops answering. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runner/episode/failure_cause.h"
#include "runner/session/device_session.h"
#include "tests/support/adb/fake_shell.h"

#define CALL_MS 2000

static bool renew(struct device_source *source, struct device_lease *lease,
                  struct deadline by, struct err *err)
{
    (void)source, (void)lease, (void)by, (void)err;
    return true;
}

static const struct device_source_ops ops = {.renew = renew};

struct fixture {
    struct fake_shell shell;
    struct device_source source;
    struct device_lease lease;
    struct device_session session;
};

static int start(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.source = {.ops = &ops}};
    fake_shell_start(&fixture.shell);
    fixture.lease.device = fixture.shell.device;
    snprintf(fixture.lease.serial, sizeof(fixture.lease.serial), "quiet-one");
    fixture.session = (struct device_session){
        .options = {.source = &fixture.source, .call_ms = CALL_MS},
        .lease = &fixture.lease,
    };
    *state = &fixture;
    return 0;
}

static int stop(void **state)
{
    struct fixture *fixture = *state;

    fake_shell_stop(&fixture->shell);
    return 0;
}

static void a_silent_phone_is_asked_once_and_then_probed(void **state)
{
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;

    fake_shell_be_silent(&fixture->shell, true);
    assert_false(device_session_run(&fixture->session, "echo a", NULL, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_non_null(strstr(err.text, "quiet-one does not answer"));
    assert_true(fixture->session.silent);
    assert_int_equal(fake_shell_count(&fixture->shell), 2);
}

static void a_phone_that_answers_again_is_asked_again(void **state)
{
    struct fixture *fixture = *state;
    struct buf text = BUF_INIT(64);
    struct err err = ERR_INIT;

    fake_shell_add(&fixture->shell, "slow-once",
                   "if [ -e once ]; then echo quick; else : > once; "
                   "sleep 4; fi");
    if (!device_session_run(&fixture->session, "slow-once", &text, &err))
        fail_msg("%s", err.text);
    assert_string_equal(buf_cstr(&text), "quick\n");
    assert_false(fixture->session.silent);
    assert_true(fixture->session.unanswered_ns == 0);
    buf_release(&text);
}

static void a_call_that_always_takes_too_long_is_given_up(void **state)
{
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;

    fake_shell_add(&fixture->shell, "slow", "echo x >> calls; sleep 4");
    assert_false(device_session_run(&fixture->session, "slow", NULL, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_false(fixture->session.silent);
    assert_string_equal(fake_shell_read(&fixture->shell, "calls"), "x\nx\nx\n");
}

/*
 * A call has half its time after the budget, and the short command follows:
 * 4 + 8 seconds here, and not 8 + 8.
 */
static void a_silent_phone_is_given_up_soon_after_the_budget(void **state)
{
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;
    int64_t began_ns, waited_ms;

    fixture->session.options.call_ms = 8000;
    device_session_set_budget(&fixture->session, deadline_in_ms(0));
    fake_shell_be_silent(&fixture->shell, true);
    began_ns = clock_ns();
    assert_false(device_session_run(&fixture->session, "echo a", NULL, &err));
    waited_ms = (clock_ns() - began_ns) / 1000000;
    assert_true(fixture->session.silent);
    assert_in_range(waited_ms, 11900, 15999);
}

/* Later calls of the same episode do not wait again. */
static void a_phone_that_was_given_up_is_not_called_again(void **state)
{
    struct fixture *fixture = *state;
    struct observation seen;
    struct err err = ERR_INIT;
    int asked;

    observation_init(&seen);
    fake_shell_be_silent(&fixture->shell, true);
    assert_false(device_session_run(&fixture->session, "echo a", NULL, &err));
    asked = fake_shell_count(&fixture->shell);
    err = (struct err)ERR_INIT;
    assert_false(device_session_run(&fixture->session, "echo b", NULL, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_false(device_session_capture(&fixture->session, &seen, &err));
    assert_int_equal(fake_shell_count(&fixture->shell), asked);
    observation_release(&seen);
}

/* As after a reconnection that failed. */
static void a_phone_that_is_gone_is_not_called(void **state)
{
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;

    fixture->lease.device = NULL;
    assert_false(device_session_run(&fixture->session, "echo a", NULL, &err));
    assert_int_equal(err.code, ERR_LOST);
    assert_non_null(strstr(err.text, "quiet-one is not there"));
}

static bool fail_to_renew(struct device_source *source,
                          struct device_lease *lease, struct deadline by,
                          struct err *err)
{
    (void)source, (void)by;
    lease->device = NULL;
    return err_set(err, ERR_NOT_FOUND, "no device %s", lease->serial);
}

/* In a setup, ERR_NOT_FOUND would say that the task lacks an app. */
static void a_phone_that_is_not_found_again_is_lost(void **state)
{
    static const struct device_source_ops gone = {.renew = fail_to_renew};
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;

    fixture->source.ops = &gone;
    fake_shell_be_silent(&fixture->shell, true);
    assert_false(device_session_run(&fixture->session, "echo a", NULL, &err));
    assert_int_equal(err.code, ERR_LOST);
    assert_non_null(
        strstr(err.text, "reconnecting to quiet-one: no device quiet-one"));
    assert_int_equal(failure_cause_of(EPISODE_PHASE_SETUP, err.code),
                     FAILURE_CAUSE_PHONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_silent_phone_is_asked_once_and_then_probed, start, stop),
        cmocka_unit_test_setup_teardown(
            a_phone_that_answers_again_is_asked_again, start, stop),
        cmocka_unit_test_setup_teardown(
            a_call_that_always_takes_too_long_is_given_up, start, stop),
        cmocka_unit_test_setup_teardown(
            a_silent_phone_is_given_up_soon_after_the_budget, start, stop),
        cmocka_unit_test_setup_teardown(
            a_phone_that_was_given_up_is_not_called_again, start, stop),
        cmocka_unit_test_setup_teardown(a_phone_that_is_gone_is_not_called,
                                        start, stop),
        cmocka_unit_test_setup_teardown(a_phone_that_is_not_found_again_is_lost,
                                        start, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
