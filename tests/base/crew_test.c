#include "base/crew.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>

#include <cmocka.h>

#define LIMIT 8

/* Threads that hold their place until they are let go. */
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

static void waiting_sees_every_thread_end(void **state)
{
    struct hall hall = {.door = PTHREAD_MUTEX_INITIALIZER};
    struct crew crew;

    (void)state;
    crew_init(&crew, LIMIT);
    for (int i = 0; i < LIMIT; i++)
        assert_true(crew_start(&crew, pass, &hall));
    crew_wait(&crew);
    assert_int_equal(atomic_load(&hall.passed), LIMIT);
    crew_release(&crew);
}

static void a_full_crew_takes_no_more_until_one_ends(void **state)
{
    struct hall hall = {.door = PTHREAD_MUTEX_INITIALIZER};
    struct crew crew;

    (void)state;
    crew_init(&crew, 2);
    pthread_mutex_lock(&hall.door);
    assert_true(crew_start(&crew, pass, &hall));
    assert_true(crew_start(&crew, pass, &hall));
    assert_false(crew_start(&crew, pass, &hall));
    pthread_mutex_unlock(&hall.door);
    crew_wait(&crew);
    assert_true(crew_start(&crew, pass, &hall));
    crew_wait(&crew);
    assert_int_equal(atomic_load(&hall.passed), 3);
    crew_release(&crew);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_sees_every_thread_end),
        cmocka_unit_test(a_full_crew_takes_no_more_until_one_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
