#include "runner/work.h"

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
#include "runner/lock.h"
#include "runner/streak.h"

static struct work_item claim(struct work *work)
{
    struct work_item item;

    assert_true(work_claim(work, &item));
    return item;
}

static void every_task_comes_once_before_any_comes_twice(void **state)
{
    struct work *work = work_open(3, 2, 1);
    struct work_item item;

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        item = claim(work);
        assert_int_equal(item.task, i % 3);
        assert_int_equal(item.repeat, i / 3);
        assert_int_equal(item.attempt, 0);
        work_finish(work, &item, WORK_ENDED);
    }
    assert_false(work_claim(work, &item));
    work_close(work);
}

static void what_is_void_comes_again_behind_the_others(void **state)
{
    struct work *work = work_open(2, 1, 3);
    struct work_state look;
    struct work_item item;

    (void)state;
    item = claim(work);
    work_finish(work, &item, WORK_VOID);
    item = claim(work);
    assert_int_equal(item.task, 1);
    work_finish(work, &item, WORK_ENDED);
    for (int attempt = 1; attempt < 3; attempt++) {
        item = claim(work);
        assert_int_equal(item.task, 0);
        assert_int_equal(item.attempt, attempt);
        work_finish(work, &item, WORK_VOID);
    }
    assert_false(work_claim(work, &item));
    work_look(work, &look);
    assert_int_equal(look.ended, 1);
    assert_int_equal(look.given_up, 1);
    work_close(work);
}

static void what_was_done_before_is_not_done_again(void **state)
{
    const struct work_item ended = {.task = 0, .attempt = 2};
    const struct work_item killed = {.task = 1, .attempt = 4};
    const struct work_item tried = {.task = 2, .attempt = 0};
    const struct work_item tried_again = {.task = 2, .attempt = 1};
    struct work *work = work_open(3, 1, 2);
    struct work_state look;
    struct work_item item;

    (void)state;
    work_known(work, &ended, WORK_ENDED);
    work_known(work, &killed, WORK_RETURNED);
    work_known(work, &tried, WORK_VOID);
    work_known(work, &tried_again, WORK_VOID);
    item = claim(work);
    assert_int_equal(item.task, 1);
    assert_int_equal(item.attempt, 5);
    work_finish(work, &item, WORK_ENDED);
    assert_false(work_claim(work, &item));
    work_look(work, &look);
    assert_int_equal(look.ended, 2);
    assert_int_equal(look.given_up, 1);
    work_close(work);
}

struct claimer {
    struct work *work;
    bool got;
};

/* Claims, and says whether it got something. */
static void *claim_later(void *context)
{
    struct claimer *claimer = context;
    struct work_item item;

    claimer->got = work_claim(claimer->work, &item);
    if (claimer->got)
        work_finish(claimer->work, &item, WORK_ENDED);
    return NULL;
}

static void whoever_waits_gets_what_comes_back(void **state)
{
    struct claimer claimer = {.work = work_open(1, 1, 2)};
    struct work_item item = claim(claimer.work);
    pthread_t thread;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, claim_later, &claimer), 0);
    usleep(20000);
    work_finish(claimer.work, &item, WORK_VOID);
    pthread_join(thread, NULL);
    assert_true(claimer.got);
    work_close(claimer.work);
}

static void whoever_waits_is_woken_when_all_stops(void **state)
{
    struct claimer claimer = {.got = true, .work = work_open(1, 1, 2)};
    struct work_item item = claim(claimer.work);
    pthread_t thread;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, claim_later, &claimer), 0);
    usleep(20000);
    assert_true(work_beat(claimer.work, &item));
    work_stop(claimer.work);
    pthread_join(thread, NULL);
    assert_false(claimer.got);
    assert_false(work_beat(claimer.work, &item));
    work_close(claimer.work);
}

static void waiting_ends_with_the_time_or_the_work(void **state)
{
    struct work *work = work_open(1, 1, 1);
    int64_t start = clock_ns();
    struct work_item item;

    (void)state;
    work_wait(work, 30);
    assert_true(clock_ns() - start >= 29000000);
    item = claim(work);
    work_finish(work, &item, WORK_ENDED);
    start = clock_ns();
    work_wait(work, 60000);
    assert_true(clock_ns() - start < INT64_C(10000000000));
    work_close(work);
}

/* ---- locks ---- */

static void a_phone_is_locked_once_and_free_again(void **state)
{
    char folder[] = "/tmp/lock-test-XXXXXX";
    struct lock first = LOCK_INIT;
    struct lock second = LOCK_INIT;
    struct err err = ERR_INIT;
    char path[256];

    (void)state;
    assert_non_null(mkdtemp(folder));
    setenv("XDG_RUNTIME_DIR", folder, 1);
    assert_true(lock_phone(&first, "../../etc/10.0.0.1:5555", &err));
    assert_false(lock_phone(&second, "../../etc/10.0.0.1:5555", &err));
    assert_int_equal(err.code, ERR_BUSY);
    snprintf(path, sizeof(path), "process %ld", (long)getpid());
    assert_non_null(strstr(err.text, path));
    assert_true(lock_phone(&second, "10.0.0.2:5555", &err));
    lock_release(&first);
    assert_true(lock_phone(&first, "../../etc/10.0.0.1:5555", &err));
    lock_release(&first);
    lock_release(&second);
    snprintf(path, sizeof(path),
             "%s/proctor/phone-_2e_2e_2f_2e_2e_2fetc_2f10_2e0_2e0_2e1_3a5555"
             ".lock",
             folder);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof(path), "%s/proctor/phone-10_2e0_2e0_2e2_3a5555.lock",
             folder);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof(path), "%s/proctor", folder);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* ---- early stop ---- */

static struct action tap(int x, int y)
{
    return (struct action){
        .kind = ACTION_CLICK, .has_from = true, .from = {x, y}};
}

/* How many taps it takes; the x of each is moved by drift, looks by change. */
static int taps_until_stopped(enum policy_preset preset, int drift,
                              uint64_t change)
{
    struct streak streak = {.count = 0};
    struct policy policy;
    int taps = 0;
    bool stopped = false;

    policy_init(&policy, preset);
    while (!stopped && taps < 20) {
        struct action action = tap(500 + drift * (taps % 2), 700);

        stopped = streak_add(&streak, &policy, &action, change * (uint64_t)taps,
                             1080);
        taps++;
    }
    streak_release(&streak);
    return taps;
}

static void five_equal_actions_end_it_where_nothing_changes(void **state)
{
    (void)state;
    assert_int_equal(taps_until_stopped(POLICY_USUAL, 0, 0), 5);
    assert_int_equal(taps_until_stopped(POLICY_USUAL, 8, 0), 5);
    assert_int_equal(taps_until_stopped(POLICY_USUAL, 20, 0), 20);
    assert_int_equal(taps_until_stopped(POLICY_USUAL, 0, 1), 20);
}

static void the_papers_early_stop_does_not_look_at_the_screen(void **state)
{
    (void)state;
    assert_int_equal(taps_until_stopped(POLICY_PROBENCH, 0, 1), 5);
    assert_int_equal(taps_until_stopped(POLICY_PROBENCH, 1, 0), 20);
}

static void another_text_is_another_action(void **state)
{
    char first[] = "a";
    char second[] = "b";
    struct streak streak = {.count = 0};
    struct policy policy;

    (void)state;
    policy_init(&policy, POLICY_PROBENCH);
    for (int i = 0; i < 10; i++) {
        struct action action = {.kind = ACTION_TYPE,
                                .text = i % 4 ? first : second};

        assert_false(streak_add(&streak, &policy, &action, 0, 1080));
    }
    streak_release(&streak);
}

static void the_papers_seven_actions_are_without_home(void **state)
{
    struct policy policy;

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
        cmocka_unit_test(every_task_comes_once_before_any_comes_twice),
        cmocka_unit_test(what_is_void_comes_again_behind_the_others),
        cmocka_unit_test(what_was_done_before_is_not_done_again),
        cmocka_unit_test(whoever_waits_gets_what_comes_back),
        cmocka_unit_test(whoever_waits_is_woken_when_all_stops),
        cmocka_unit_test(waiting_ends_with_the_time_or_the_work),
        cmocka_unit_test(a_phone_is_locked_once_and_free_again),
        cmocka_unit_test(five_equal_actions_end_it_where_nothing_changes),
        cmocka_unit_test(the_papers_early_stop_does_not_look_at_the_screen),
        cmocka_unit_test(another_text_is_another_action),
        cmocka_unit_test(the_papers_seven_actions_are_without_home),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
