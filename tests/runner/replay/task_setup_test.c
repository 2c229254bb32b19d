#include "runner/replay/task_setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/runner/test_phone.h"

/* A built-in phone that is treated like a real one. */
struct world {
    struct test_phone phone;
    struct device_lease lease;
    struct device_session session;
    struct task task;
};

static void world_open(struct world *world, enum task_reset reset,
                       const char *app)
{
    const struct phone_options options = {.seed = 2};
    const struct device_session_options defaults = {.source = NULL};
    struct err err = ERR_INIT;

    *world = (struct world){.task = {.reset = reset}};
    test_phone_start(&world->phone, &options);
    world->lease.device = world->phone.device;
    world->lease.user_owned = true;
    snprintf(world->lease.serial, sizeof(world->lease.serial), "begin-test");
    if (!device_session_open(&world->session, &defaults, &world->lease, &err))
        fail_msg("%s", err.text);
    text_list_add(&world->task.apps, app);
}

static void world_close(struct world *world)
{
    struct err err = ERR_INIT;

    assert_true(device_session_close(&world->session, &err));
    text_list_release(&world->task.apps);
    text_list_release(&world->task.set_up);
    test_phone_stop(&world->phone);
}

static bool reset(struct world *world, struct err *err)
{
    return task_setup_reset(&world->session, &world->task, NULL, NULL, err);
}

/* The screen after the task's setup. */
static uint64_t begin(struct world *world)
{
    struct observation seen;
    struct err err = ERR_INIT;
    uint64_t screen_hash;

    observation_init(&seen);
    if (!reset(world, &err) ||
        !task_setup_launch(&world->session, world->task.apps.items[0], &seen,
                           &err) ||
        !device_session_observe(&world->session, &seen, &err))
        fail_msg("%s", err.text);
    assert_string_equal(seen.package, world->task.apps.items[0]);
    screen_hash = seen.screen_hash;
    observation_release(&seen);
    return screen_hash;
}

static void restart_shows_the_first_screen(void **state)
{
    struct world world;
    uint64_t first;

    (void)state;
    world_open(&world, TASK_RESET_RESTART, "org.proctor.shop");
    first = begin(&world);
    test_phone_do(&world.phone, &(struct action){.kind = ACTION_SCROLL,
                                                 .direction = DIRECTION_DOWN});
    observer_note_action(world.session.observer);
    test_phone_see(&world.phone);
    assert_true(world.phone.seen.screen_hash != first);
    assert_true(begin(&world) == first);
    world_close(&world);
}

static void data_is_not_cleared_if_logged_in(void **state)
{
    struct node_selector face = {.nth = 0};
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

static void missing_app_cannot_be_cleared(void **state)
{
    struct world world;
    struct err err = ERR_INIT;

    (void)state;
    world_open(&world, TASK_RESET_CLEAR, "org.proctor.nowhere");
    assert_false(reset(&world, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "org.proctor.nowhere is not installed"));
    world_close(&world);
}

#define LONG_NAME "org.proctor.an.app.with.a.name.that.takes.much.of.a.line"

static void missing_apps_are_named_as_far_as_they_fit(void **state)
{
    struct world world;
    struct err err = ERR_INIT;

    (void)state;
    world_open(&world, TASK_RESET_NONE, LONG_NAME "1");
    text_list_add(&world.task.apps, LONG_NAME "2");
    text_list_add(&world.task.apps, LONG_NAME "3");
    text_list_add(&world.task.apps, "org.proctor.shop");
    text_list_add(&world.task.apps, LONG_NAME "4");
    assert_false(task_setup_require_apps(&world.session, &world.task, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_string_equal(err.text, LONG_NAME
                        "1, " LONG_NAME "2 and 2 more are not "
                        "installed; proctor preflight lists what to install");
    world_close(&world);
}

static void failed_command_fails_the_setup(void **state)
{
    struct world world;
    struct err err = ERR_INIT;

    (void)state;
    world_open(&world, TASK_RESET_NONE, "org.proctor.shop");
    text_list_add(&world.task.set_up, "settings put system a 1");
    assert_true(task_setup_run_commands(&world.session, &world.task, &err));
    text_list_add(&world.task.set_up, "cat /no/such/file");
    assert_false(task_setup_run_commands(&world.session, &world.task, &err));
    assert_int_equal(err.code, ERR_REMOTE);
    assert_non_null(strstr(err.text, "cat /no/such/file: status 1"));
    world_close(&world);
}

static void phone_without_snapshots_is_used_for_the_next_task(void **state)
{
    struct device_source *source = device_source_adb(NULL, NULL, 0);
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
        cmocka_unit_test(restart_shows_the_first_screen),
        cmocka_unit_test(data_is_not_cleared_if_logged_in),
        cmocka_unit_test(missing_app_cannot_be_cleared),
        cmocka_unit_test(missing_apps_are_named_as_far_as_they_fit),
        cmocka_unit_test(failed_command_fails_the_setup),
        cmocka_unit_test(phone_without_snapshots_is_used_for_the_next_task),
    };

    return cmocka_run_group_tests_name("begin", tests, NULL, NULL);
}
