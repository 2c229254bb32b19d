#include "runner/run/memory_queue.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/deadline.h"
#include "runner/episode/repeat_detector.h"
#include "tests/support/blocked_thread.h"

static struct work_queue_item claim(struct work_queue *work)
{
    struct work_queue_item item;

    assert_true(work_queue_claim(work, 0, &item));
    return item;
}

static void every_task_runs_once_before_any_runs_twice(void **state)
{
    struct work_queue *work = memory_queue_open(3, 2, 1);
    struct work_queue_item item;

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        item = claim(work);
        assert_int_equal(item.task, i % 3);
        assert_int_equal(item.repeat, i / 3);
        assert_int_equal(item.attempt, 0);
        work_queue_finish(work, &item, WORK_QUEUE_ENDED, NULL);
    }
    assert_false(work_queue_claim(work, 0, &item));
    work_queue_close(work);
}

static void void_attempt_is_repeated_after_the_others(void **state)
{
    struct work_queue *work = memory_queue_open(2, 1, 3);
    struct work_queue_state look;
    struct work_queue_item item;

    (void)state;
    item = claim(work);
    work_queue_finish(work, &item, WORK_QUEUE_VOID, NULL);
    item = claim(work);
    assert_int_equal(item.task, 1);
    work_queue_finish(work, &item, WORK_QUEUE_ENDED, NULL);
    for (int attempt = 1; attempt < 3; attempt++) {
        item = claim(work);
        assert_int_equal(item.task, 0);
        assert_int_equal(item.attempt, attempt);
        work_queue_finish(work, &item, WORK_QUEUE_VOID, NULL);
    }
    assert_false(work_queue_claim(work, 0, &item));
    work_queue_get_state(work, &look);
    assert_int_equal(look.ended, 1);
    assert_int_equal(look.given_up, 1);
    work_queue_close(work);
}

static void hopeless_attempt_is_not_repeated(void **state)
{
    struct work_queue *work = memory_queue_open(1, 1, 3);
    struct work_queue_state look;
    struct work_queue_item item = claim(work);

    (void)state;
    work_queue_finish(work, &item, WORK_QUEUE_HOPELESS, NULL);
    assert_false(work_queue_claim(work, 0, &item));
    work_queue_get_state(work, &look);
    assert_int_equal(look.given_up, 1);
    work_queue_close(work);
}

static void finished_work_is_not_repeated(void **state)
{
    const struct work_queue_item ended = {.task = 0, .attempt = 2};
    const struct work_queue_item killed = {.task = 1, .attempt = 4};
    const struct work_queue_item tried = {.task = 2, .attempt = 0};
    const struct work_queue_item tried_again = {.task = 2, .attempt = 1};
    struct work_queue *work = memory_queue_open(3, 1, 2);
    struct work_queue_state look;
    struct work_queue_item item;

    (void)state;
    memory_queue_add_known(work, &ended, WORK_QUEUE_ENDED);
    memory_queue_add_known(work, &killed, WORK_QUEUE_RETURNED);
    memory_queue_add_known(work, &tried, WORK_QUEUE_VOID);
    memory_queue_add_known(work, &tried_again, WORK_QUEUE_VOID);
    item = claim(work);
    assert_int_equal(item.task, 1);
    assert_int_equal(item.attempt, 5);
    work_queue_finish(work, &item, WORK_QUEUE_ENDED, NULL);
    assert_false(work_queue_claim(work, 0, &item));
    work_queue_get_state(work, &look);
    assert_int_equal(look.ended, 2);
    assert_int_equal(look.given_up, 1);
    work_queue_close(work);
}

struct claimer {
    struct blocked_thread blocked;
    struct work_queue *work;
    bool got;
};

/* Claims work; records whether it got some. */
static void *claim_later(void *context)
{
    struct claimer *claimer = context;
    struct work_queue_item item;

    blocked_thread_enter(&claimer->blocked);
    claimer->got = work_queue_claim(claimer->work, 0, &item);
    if (claimer->got)
        work_queue_finish(claimer->work, &item, WORK_QUEUE_ENDED, NULL);
    return NULL;
}

static void waiting_worker_gets_returned_work(void **state)
{
    struct claimer claimer = {.work = memory_queue_open(1, 1, 2)};
    struct work_queue_item item = claim(claimer.work);
    pthread_t thread;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, claim_later, &claimer), 0);
    blocked_thread_await(&claimer.blocked);
    work_queue_finish(claimer.work, &item, WORK_QUEUE_VOID, NULL);
    pthread_join(thread, NULL);
    assert_true(claimer.got);
    work_queue_close(claimer.work);
}

static void waiting_worker_is_woken_by_stop(void **state)
{
    struct claimer claimer = {.got = true, .work = memory_queue_open(1, 1, 2)};
    struct work_queue_item item = claim(claimer.work);
    pthread_t thread;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, claim_later, &claimer), 0);
    blocked_thread_await(&claimer.blocked);
    assert_true(work_queue_heartbeat(claimer.work, &item));
    work_queue_stop(claimer.work);
    pthread_join(thread, NULL);
    assert_false(claimer.got);
    assert_false(work_queue_heartbeat(claimer.work, &item));
    work_queue_close(claimer.work);
}

static void wait_ends_at_the_deadline_or_with_the_work(void **state)
{
    struct work_queue *work = memory_queue_open(1, 1, 1);
    int64_t start = clock_ns();
    struct work_queue_item item;

    (void)state;
    work_queue_wait(work, 30);
    assert_true(clock_ns() - start >= 29000000);
    item = claim(work);
    work_queue_finish(work, &item, WORK_QUEUE_ENDED, NULL);
    start = clock_ns();
    work_queue_wait(work, 60000);
    assert_true(clock_ns() - start < INT64_C(50000000000));
    work_queue_close(work);
}

/* ---- locks ---- */

/* ---- early stop ---- */

static struct action tap(int x, int y)
{
    return (struct action){
        .kind = ACTION_CLICK, .has_from = true, .from = {x, y}};
}

/*
 * The number of taps until the stop; drift moves the x of each, change the
 * screen.
 */
static int taps_until_stopped(enum policy_preset preset, int drift,
                              uint64_t change)
{
    struct repeat_detector repeats = {.count = 0};
    struct episode_policy policy;
    int taps = 0;
    bool stopped = false;

    policy_init(&policy, preset);
    while (!stopped && taps < 20) {
        struct action action = tap(500 + drift * (taps % 2), 700);

        stopped = repeat_detector_add(&repeats, &policy, &action,
                                      change * (uint64_t)taps, 1080);
        taps++;
    }
    repeat_detector_release(&repeats);
    return taps;
}

static void five_equal_actions_on_an_unchanged_screen_end_the_episode(
    void **state)
{
    (void)state;
    assert_int_equal(taps_until_stopped(POLICY_DEFAULT, 0, 0), 5);
    assert_int_equal(taps_until_stopped(POLICY_DEFAULT, 8, 0), 5);
    assert_int_equal(taps_until_stopped(POLICY_DEFAULT, 20, 0), 20);
    assert_int_equal(taps_until_stopped(POLICY_DEFAULT, 0, 1), 20);
}

static void early_stop_of_probench_ignores_the_screen(void **state)
{
    (void)state;
    assert_int_equal(taps_until_stopped(POLICY_PROBENCH, 0, 1), 5);
    assert_int_equal(taps_until_stopped(POLICY_PROBENCH, 1, 0), 20);
}

static void another_text_is_another_action(void **state)
{
    char first[] = "a";
    char second[] = "b";
    struct repeat_detector repeats = {.count = 0};
    struct episode_policy policy;

    (void)state;
    policy_init(&policy, POLICY_PROBENCH);
    for (int i = 0; i < 10; i++) {
        struct action action = {.kind = ACTION_TYPE,
                                .text = i % 4 ? first : second};

        assert_false(repeat_detector_add(&repeats, &policy, &action, 0, 1080));
    }
    repeat_detector_release(&repeats);
}

static void home_is_not_among_the_actions_of_probench(void **state)
{
    struct episode_policy policy;

    (void)state;
    policy_init(&policy, POLICY_PROBENCH);
    assert_int_equal(__builtin_popcount(policy.actions), 7);
    assert_false(policy.actions & (1U << ACTION_HOME));
    assert_int_equal(policy.steps, 15);
    assert_true(policy.tree_first);
    assert_false(policy.ask_again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once_before_any_runs_twice),
        cmocka_unit_test(void_attempt_is_repeated_after_the_others),
        cmocka_unit_test(hopeless_attempt_is_not_repeated),
        cmocka_unit_test(finished_work_is_not_repeated),
        cmocka_unit_test(waiting_worker_gets_returned_work),
        cmocka_unit_test(waiting_worker_is_woken_by_stop),
        cmocka_unit_test(wait_ends_at_the_deadline_or_with_the_work),
        cmocka_unit_test(
            five_equal_actions_on_an_unchanged_screen_end_the_episode),
        cmocka_unit_test(early_stop_of_probench_ignores_the_screen),
        cmocka_unit_test(another_text_is_another_action),
        cmocka_unit_test(home_is_not_among_the_actions_of_probench),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
