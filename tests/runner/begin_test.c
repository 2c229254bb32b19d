#include "runner/begin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/runner/test_phone.h"

/* A built-in phone that is taken for somebody's. */
struct world {
    struct test_phone phone;
    struct lease lease;
    struct session session;
    struct task task;
};

static void world_open(struct world *world, enum task_reset reset,
                       const char *app)
{
    const struct phone_options options = {.seed = 2};
    const struct session_options usual = {.source = NULL};
    struct err err = ERR_INIT;

    *world = (struct world){.task = {.reset = reset}};
    test_phone_start(&world->phone, &options);
    world->lease.device = world->phone.device;
    world->lease.somebodys = true;
    snprintf(world->lease.serial, sizeof(world->lease.serial), "begin-test");
    if (!session_open(&world->session, &usual, &world->lease, &err))
        fail_msg("%s", err.text);
    texts_add(&world->task.apps, app);
}

static void world_close(struct world *world)
{
    session_close(&world->session);
    texts_release(&world->task.apps);
    texts_release(&world->task.set_up);
    test_phone_stop(&world->phone);
}

static bool reset(struct world *world, struct err *err)
{
    return begin_reset(&world->session, &world->task, NULL, NULL, err);
}

/* How the screen looks after the task began. */
static uint64_t begin(struct world *world)
{
    struct observation seen;
    struct err err = ERR_INIT;
    uint64_t looks;

    observation_init(&seen);
    if (!reset(world, &err) ||
        !begin_launch(&world->session, world->task.apps.items[0], &seen,
                      &err) ||
        !session_see(&world->session, &seen, &err))
        fail_msg("%s", err.text);
    assert_string_equal(seen.package, world->task.apps.items[0]);
    looks = seen.looks;
    observation_release(&seen);
    return looks;
}

static void a_restarted_app_is_as_when_it_is_new(void **state)
{
    struct world world;
    uint64_t first;

    (void)state;
    world_open(&world, TASK_RESET_RESTART, "org.proctor.shop");
    first = begin(&world);
    test_phone_do(&world.phone, &(struct action){.kind = ACTION_SCROLL,
                                                 .direction = DIRECTION_DOWN});
    observer_acted(world.session.observer);
    test_phone_see(&world.phone);
    assert_true(world.phone.seen.looks != first);
    assert_true(begin(&world) == first);
    world_close(&world);
}

static void data_of_somebody_who_is_logged_in_is_not_cleared(void **state)
{
    struct selector face = {.nth = 0};
    struct world world;
    struct err err = ERR_INIT;

    (void)state;
    world_open(&world, TASK_RESET_CLEAR, "org.proctor.shop");
    world.task.requires.logged_in = &face;
    assert_false(reset(&world, &err));
    assert_int_equal(err.code, ERR_INVALID);
    world.task.requires.logged_in = NULL;
    assert_true(reset(&world, &err));
    world_close(&world);
}

static void data_that_stays_is_no_beginning(void **state)
{
    struct world world;
    struct err err = ERR_INIT;

    (void)state;
    world_open(&world, TASK_RESET_CLEAR, "org.proctor.nowhere");
    assert_false(reset(&world, &err));
    assert_int_equal(err.code, ERR_REMOTE);
    world_close(&world);
}

static void a_set_up_that_the_phone_refuses_is_no_beginning(void **state)
{
    struct world world;
    struct err err = ERR_INIT;

    (void)state;
    world_open(&world, TASK_RESET_NONE, "org.proctor.shop");
    texts_add(&world.task.set_up, "settings put system a 1");
    assert_true(begin_set_up(&world.session, &world.task, &err));
    texts_add(&world.task.set_up, "cat /no/such/file");
    assert_false(begin_set_up(&world.session, &world.task, &err));
    assert_int_equal(err.code, ERR_REMOTE);
    assert_non_null(strstr(err.text, "cat /no/such/file: status 1"));
    world_close(&world);
}

static void a_phone_without_snapshots_serves_the_next_task(void **state)
{
    struct source *source = source_adb(NULL, NULL, 0);
    struct world world;
    struct err err = ERR_INIT;

    (void)state;
    world_open(&world, TASK_RESET_SNAPSHOT, "org.proctor.shop");
    world.session.options.source = source;
    assert_false(reset(&world, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    world.task.reset = TASK_RESET_RESTART;
    begin(&world);
    world_close(&world);
    source->ops->close(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_restarted_app_is_as_when_it_is_new),
        cmocka_unit_test(data_of_somebody_who_is_logged_in_is_not_cleared),
        cmocka_unit_test(data_that_stays_is_no_beginning),
        cmocka_unit_test(a_set_up_that_the_phone_refuses_is_no_beginning),
        cmocka_unit_test(a_phone_without_snapshots_serves_the_next_task),
    };

    return cmocka_run_group_tests_name("begin", tests, NULL, NULL);
}
