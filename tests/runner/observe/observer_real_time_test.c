/* Observing a phone in real time. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runner/observe/screenshot_method.h"
#include "tests/runner/test_phone.h"

/* Counts the faults that strike. */
static void count(void *context, const char *line)
{
    atomic_int *counter = context;

    (void)line;
    atomic_fetch_add(counter, 1);
}

/*
 * The status bar's clock may change, and a busy machine may delay the signals:
 * so not every observation is cheap, but with signals some are.
 */
static void unchanged_screen_needs_one_picture_with_signals(void **state)
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
        assert_true(observer_capture(phone.observer, SOON, &phone.seen, &err));
        assert_true(
            observer_read_tree(phone.observer, SOON, &phone.seen, &err));
        cheap += atomic_load(&pictures) == 1;
    }
    assert_int_equal(cheap, 2);
    test_phone_stop(&phone);
}

static void animation_is_waited_for_in_real_time(void **state)
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

/* ---- capture methods ---- */

/* Remove a folder with its files; returns their number. */
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

static void fastest_method_is_measured_once(void **state)
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
    assert_true(screenshot_method_load(folder, device_serial(phone.device),
                                       observer_facts(observer), &way));
    assert_int_not_equal(way, SCREENSHOT_ANY);
    assert_false(screenshot_method_load(folder, "another phone",
                                        observer_facts(observer), &way));
    observer_close(observer);
    assert_int_equal(remove_all(folder), 1);
    test_phone_stop(&phone);
}

static void all_methods_give_the_same_picture(void **state)
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
        screenshot_method_save(folder, device_serial(phone.device),
                               observer_facts(phone.observer), ways[i]);
        assert_true(observer_open(phone.device,
                                  &(struct observer_options){.cache = folder},
                                  SOON, &observer, &err));
        assert_true(observer_capture(observer, SOON, &seen, &err));
        assert_true(seen.screen_hash == phone.seen.screen_hash);
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
        cmocka_unit_test(unchanged_screen_needs_one_picture_with_signals),
        cmocka_unit_test(animation_is_waited_for_in_real_time),
        cmocka_unit_test(fastest_method_is_measured_once),
        cmocka_unit_test(all_methods_give_the_same_picture),
    };

    return cmocka_run_group_tests_name("observe_real", tests, NULL, NULL);
}
