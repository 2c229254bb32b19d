/* Looking at a phone whose time passes by itself. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runner/shot_way.h"
#include "tests/runner/test_phone.h"

/* Counts what faults strike. */
static void count(void *context, const char *line)
{
    atomic_int *counter = context;

    (void)line;
    atomic_fetch_add(counter, 1);
}

/* The status bar's clock may move, and a busy machine be late with the signals:
 * so not every look is cheap, but if signals tell, some are. */
static void a_still_screen_costs_one_picture_when_signals_tell(void **state)
{
    atomic_int pictures = 0;
    const struct phone_options options = {
        .seed = 3,
        .realtime = true,
        .faults = "delay:service=exec:screencap,ms=1;"
                  "delay:service=framebuffer,ms=1",
        .tell_fault = count,
        .tell_context = &pictures};
    struct test_phone phone;
    struct err err = ERR_INIT;
    int cheap = 0;

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_open(&phone, "Settings");
    for (int i = 0; i < 20 && cheap < 2; i++) {
        atomic_store(&pictures, 0);
        assert_true(observer_look(phone.observer, SOON, &phone.seen, &err));
        assert_true(
            observer_read_tree(phone.observer, SOON, &phone.seen, &err));
        cheap += atomic_load(&pictures) == 1;
    }
    assert_int_equal(cheap, 2);
    test_phone_stop(&phone);
}

static void what_moves_is_waited_for_on_a_real_clock(void **state)
{
    const struct phone_options options = {.seed = 3, .realtime = true};
    struct test_phone phone;

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_open(&phone, "Shop");
    test_phone_see(&phone);
    test_phone_do(&phone, &(struct action){.kind = ACTION_SWIPE,
                                           .direction = DIRECTION_UP,
                                           .milliseconds = 60});
    test_phone_see(&phone);
    assert_string_equal(phone.seen.doubt, "");
    assert_false(phone.seen.changed);
    test_phone_stop(&phone);
}

/* ---- ways ---- */

/* Remove a folder with its files, and say how many there were. */
static int remove_all(const char *folder)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    int files = 0;

    while ((entry = readdir(directory))) {
        if (entry->d_name[0] != '.')
            files += !unlinkat(dirfd(directory), entry->d_name, 0);
    }
    closedir(directory);
    rmdir(folder);
    return files;
}

static void the_quickest_way_is_measured_once_and_remembered(void **state)
{
    const struct phone_options options = {.seed = 3, .realtime = true};
    char folder[] = "/tmp/proctor-observe.XXXXXX";
    const struct observer_options remembering = {.cache = folder};
    enum screenshot_way way = SCREENSHOT_ANY;
    struct observer *observer = NULL;
    struct test_phone phone;
    struct err err = ERR_INIT;

    (void)state;
    assert_non_null(mkdtemp(folder));
    test_phone_start(&phone, &options);
    if (!observer_open(phone.device, &remembering, SOON, &observer, &err))
        fail_msg("%s", err.text);
    assert_true(shot_way_recall(folder, device_serial(phone.device),
                                observer_facts(observer), &way));
    assert_int_not_equal(way, SCREENSHOT_ANY);
    assert_false(shot_way_recall(folder, "another phone",
                                 observer_facts(observer), &way));
    observer_close(observer);
    assert_int_equal(remove_all(folder), 1);
    test_phone_stop(&phone);
}

static void all_ways_show_the_same_picture(void **state)
{
    static const enum screenshot_way ways[] = {SCREENSHOT_PNG, SCREENSHOT_RAW,
                                               SCREENSHOT_GZIP,
                                               SCREENSHOT_FRAMEBUFFER};
    const struct phone_options options = {.seed = 3, .realtime = true};
    char folder[] = "/tmp/proctor-observe.XXXXXX";
    struct test_phone phone;
    struct err err = ERR_INIT;

    (void)state;
    assert_non_null(mkdtemp(folder));
    test_phone_start(&phone, &options);
    test_phone_open(&phone, "Settings");
    test_phone_see(&phone);
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        struct observer *observer = NULL;
        struct observation seen;

        observation_init(&seen);
        shot_way_remember(folder, device_serial(phone.device),
                          observer_facts(phone.observer), ways[i]);
        assert_true(observer_open(phone.device,
                                  &(struct observer_options){.cache = folder},
                                  SOON, &observer, &err));
        assert_true(observer_look(observer, SOON, &seen, &err));
        assert_true(seen.looks == phone.seen.looks);
        assert_int_equal(seen.screen.width, 1080);
        assert_memory_equal(seen.png.data, "\x89PNG", 4);
        observation_release(&seen);
        observer_close(observer);
    }
    assert_int_equal(remove_all(folder), 1);
    test_phone_stop(&phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_still_screen_costs_one_picture_when_signals_tell),
        cmocka_unit_test(what_moves_is_waited_for_on_a_real_clock),
        cmocka_unit_test(the_quickest_way_is_measured_once_and_remembered),
        cmocka_unit_test(all_ways_show_the_same_picture),
    };

    return cmocka_run_group_tests_name("observe_real", tests, NULL, NULL);
}
