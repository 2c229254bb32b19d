#include "tools/phone/core/virtual_clock.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/cancel.h"

#define START (INT64_C(1700000000) * PHONE_SECOND)
#define MS CLOCK_MILLISECOND

/* A clock, and the timers that have fired: " name@milliseconds". */
struct fixture {
    struct virtual_clock clock;
    char said[512];
    int64_t again; /* a timer that fires sets the next, so much later */
};

static void note(void *context, const struct phone_timer *timer)
{
    struct fixture *fixture = context;
    int64_t now = virtual_clock_now(&fixture->clock) - START;
    size_t used = strlen(fixture->said);
    struct phone_timer next = *timer;
    uint64_t id;

    snprintf(fixture->said + used, sizeof(fixture->said) - used, " %s@%lld",
             timer->about, (long long)(now / MS));
    next.due = fixture->again;
    if (fixture->again)
        (void)!virtual_clock_set_timer(&fixture->clock, next, &id);
}

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.again = 0};
    virtual_clock_init(&fixture.clock, START);
    timers_own(&fixture.clock.timers,
               &(struct timers_owner){"test", note, &fixture});
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    virtual_clock_release(&fixture->clock);
    return 0;
}

static uint64_t set_timer(struct fixture *fixture, const char *about,
                          int64_t wait)
{
    struct phone_timer timer = {.due = wait, .owner = "test"};
    uint64_t id = 0;

    snprintf(timer.about, sizeof(timer.about), "%s", about);
    assert_true(virtual_clock_set_timer(&fixture->clock, timer, &id));
    return id;
}

static void clock_stands_still_until_it_is_moved(void **state)
{
    struct fixture *fixture = *state;

    assert_true(virtual_clock_now(&fixture->clock) == START);
    virtual_clock_advance(&fixture->clock, 3 * PHONE_SECOND);
    assert_true(virtual_clock_now(&fixture->clock) == START + 3 * PHONE_SECOND);
    virtual_clock_look(&fixture->clock);
    assert_true(virtual_clock_now(&fixture->clock) ==
                START + 3 * PHONE_SECOND + CLOCK_LOOK);
}

static void clock_stops_at_its_end(void **state)
{
    struct fixture *fixture = *state;

    for (int i = 0; i < 3; i++)
        virtual_clock_advance(&fixture->clock, INT64_MAX);
    assert_true(virtual_clock_now(&fixture->clock) == CLOCK_END);
    set_timer(fixture, "late", INT64_MAX);
    virtual_clock_advance(&fixture->clock, 1);
    assert_non_null(strstr(fixture->said, " late@"));
}

static void timers_fire_in_order_each_at_its_time(void **state)
{
    struct fixture *fixture = *state;

    set_timer(fixture, "c", 300 * MS);
    set_timer(fixture, "a", 100 * MS);
    set_timer(fixture, "b1", 200 * MS);
    set_timer(fixture, "b2", 200 * MS);
    set_timer(fixture, "never", 1001 * MS);
    virtual_clock_advance(&fixture->clock, 99 * MS);
    assert_string_equal(fixture->said, "");
    virtual_clock_advance(&fixture->clock, 901 * MS);
    assert_string_equal(fixture->said, " a@100 b1@200 b2@200 c@300");
}

static void a_timer_may_set_the_next(void **state)
{
    struct fixture *fixture = *state;

    fixture->again = 250 * MS;
    set_timer(fixture, "tick", 250 * MS);
    virtual_clock_advance(&fixture->clock, PHONE_SECOND);
    assert_string_equal(fixture->said, " tick@250 tick@500 tick@750 tick@1000");
}

/* Advancing the clock ends, whatever timers an app sets. */
static void timer_that_is_always_due_does_not_block(void **state)
{
    struct fixture *fixture = *state;

    fixture->again = -1;
    set_timer(fixture, "x", 0);
    virtual_clock_advance(&fixture->clock, 10 * MS);
    assert_string_equal(fixture->said,
                        " x@1 x@2 x@3 x@4 x@5 x@6 x@7 x@8 x@9 x@10");
    virtual_clock_advance(&fixture->clock, CLOCK_END);
}

static void a_cancelled_timer_does_not_fire(void **state)
{
    struct fixture *fixture = *state;
    uint64_t id = set_timer(fixture, "a", 10 * MS);

    set_timer(fixture, "b", 20 * MS);
    set_timer(fixture, "c", 30 * MS);
    set_timer(fixture, "b", 40 * MS);
    assert_true(timers_cancel(&fixture->clock.timers, id));
    assert_false(timers_cancel(&fixture->clock.timers, id));
    timers_forget(&fixture->clock.timers, "other", "c");
    timers_forget(&fixture->clock.timers, "test", "b");
    virtual_clock_advance(&fixture->clock, PHONE_SECOND);
    assert_string_equal(fixture->said, " c@30");
}

static void too_many_timers_are_refused(void **state)
{
    struct fixture *fixture = *state;
    const struct phone_timer timer = {.owner = "test", .due = PHONE_SECOND};
    uint64_t id;

    for (size_t i = 0; i < TIMERS_MAX; i++)
        set_timer(fixture, "", PHONE_SECOND);
    assert_false(virtual_clock_set_timer(&fixture->clock, timer, &id));
}

static void load(struct fixture *fixture, const struct buf *saved, size_t size,
                 bool fine)
{
    for (int trial = 1; trial >= 0; trial--) {
        struct saved_state in = {
            .data = (const uint8_t *)saved->data, .left = size, .trial = trial};

        virtual_clock_load(&fixture->clock, &in);
        assert_int_equal(in.broken, !fine);
    }
}

static void loaded_clock_continues(void **state)
{
    struct fixture *fixture = *state;
    struct buf saved = BUF_INIT(1U << 20U);

    set_timer(fixture, "a", 100 * MS);
    set_timer(fixture, "b", 200 * MS);
    virtual_clock_advance(&fixture->clock, 50 * MS);
    virtual_clock_save(&fixture->clock, &saved);
    virtual_clock_advance(&fixture->clock, PHONE_SECOND);
    assert_string_equal(fixture->said, " a@100 b@200");
    fixture->said[0] = '\0';
    load(fixture, &saved, saved.length, true);
    assert_true(virtual_clock_now(&fixture->clock) == START + 50 * MS);
    virtual_clock_advance(&fixture->clock, PHONE_SECOND);
    assert_string_equal(fixture->said, " a@100 b@200");
    buf_release(&saved);
}

static void truncated_clock_state_changes_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct buf saved = BUF_INIT(1U << 20U);

    set_timer(fixture, "a", 100 * MS);
    virtual_clock_save(&fixture->clock, &saved);
    virtual_clock_advance(&fixture->clock, 50 * MS);
    for (size_t size = 0; size < saved.length; size++)
        load(fixture, &saved, size, false);
    assert_true(virtual_clock_now(&fixture->clock) == START + 50 * MS);
    virtual_clock_advance(&fixture->clock, 50 * MS);
    assert_string_equal(fixture->said, " a@100");
    buf_release(&saved);
}

static void tell_main(void *context, const struct phone_timer *timer)
{
    (void)timer;
    cancel_fire(context);
}

static void real_clock_fires_timers_on_its_thread(void **state)
{
    struct virtual_clock clock;
    struct cancel fired = CANCEL_INIT;
    const struct phone_timer timer = {.owner = "main", .due = 1};
    struct err err = ERR_INIT;
    struct pollfd polled;
    int64_t before;
    uint64_t id;

    (void)state;
    virtual_clock_init(&clock, START);
    assert_true(cancel_init(&fired, &err));
    timers_own(&clock.timers,
               &(struct timers_owner){"main", tell_main, &fired});
    assert_true(virtual_clock_be_real(&clock, &err));
    before = virtual_clock_now(&clock);
    assert_true(before > START + 365 * 86400 * PHONE_SECOND);
    assert_true(virtual_clock_set_timer(&clock, timer, &id));
    polled = (struct pollfd){.fd = cancel_fd(&fired), .events = POLLIN};
    assert_int_equal(poll(&polled, 1, 20000), 1);
    assert_true(virtual_clock_now(&clock) > before);
    virtual_clock_release(&clock);
    cancel_release(&fired);
}

#define clock_test(test)                                                       \
    cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        clock_test(clock_stands_still_until_it_is_moved),
        clock_test(clock_stops_at_its_end),
        clock_test(timers_fire_in_order_each_at_its_time),
        clock_test(a_timer_may_set_the_next),
        clock_test(timer_that_is_always_due_does_not_block),
        clock_test(a_cancelled_timer_does_not_fire),
        clock_test(too_many_timers_are_refused),
        clock_test(loaded_clock_continues),
        clock_test(truncated_clock_state_changes_nothing),
        clock_test(real_clock_fires_timers_on_its_thread),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
