#include "base/thread_group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>

#include <cmocka.h>

#define LIMIT 8

/* Threads that run until they are released. */
struct hall {
    pthread_mutex_t door;
    atomic_int passed;
};

static void pass(void *context)
{
    struct hall *hall = context;

    pthread_mutex_lock(&hall->door);
    pthread_mutex_unlock(&hall->door);
    atomic_fetch_add(&hall->passed, 1);
}

static void wait_returns_after_all_threads_ended(void **state)
{
    struct hall hall = {.door = PTHREAD_MUTEX_INITIALIZER};
    struct thread_group thread_group;

    (void)state;
    thread_group_init(&thread_group, LIMIT);
    for (int i = 0; i < LIMIT; i++)
        assert_true(thread_group_start(&thread_group, pass, &hall));
    thread_group_wait(&thread_group);
    assert_int_equal(atomic_load(&hall.passed), LIMIT);
    thread_group_release(&thread_group);
}

static void full_group_refuses_threads_until_one_ends(void **state)
{
    struct hall hall = {.door = PTHREAD_MUTEX_INITIALIZER};
    struct thread_group thread_group;

    (void)state;
    thread_group_init(&thread_group, 2);
    pthread_mutex_lock(&hall.door);
    assert_true(thread_group_start(&thread_group, pass, &hall));
    assert_true(thread_group_start(&thread_group, pass, &hall));
    assert_false(thread_group_start(&thread_group, pass, &hall));
    pthread_mutex_unlock(&hall.door);
    thread_group_wait(&thread_group);
    assert_true(thread_group_start(&thread_group, pass, &hall));
    thread_group_wait(&thread_group);
    assert_int_equal(atomic_load(&hall.passed), 3);
    thread_group_release(&thread_group);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wait_returns_after_all_threads_ended),
        cmocka_unit_test(full_group_refuses_threads_until_one_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
