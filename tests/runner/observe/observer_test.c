#include "runner/observe/observer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/picture/png.h"
#include "runner/observe/frame_tracker.h"
#include "tests/runner/test_phone.h"

static void picture_and_tree_show_the_same_screen(void **state)
{
    const struct phone_options options = {.seed = 7};
    struct test_phone phone;

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_open(&phone, "Shop");
    test_phone_see(&phone);
    assert_string_equal(phone.seen.doubt, "");
    assert_true(phone.seen.has_tree);
    assert_string_equal(phone.seen.package, "org.proctor.shop");
    assert_string_equal(phone.seen.activity, "org.proctor.shop.MainActivity");
    assert_int_equal(phone.seen.screen.width, 1080);
    assert_int_equal(phone.seen.screen.height, 2400);
    assert_false(phone.seen.black);
    test_phone_stop(&phone);
}

static void the_same_seed_and_actions_give_the_same_observations(void **state)
{
    const struct phone_options options = {.seed = 5};
    struct test_phone phones[2];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        test_phone_start(&phones[i], &options);
        test_phone_open(&phones[i], "org.proctor.shop");
        test_phone_see(&phones[i]);
        test_phone_do(&phones[i],
                      &(struct action){.kind = ACTION_SCROLL,
                                       .direction = DIRECTION_DOWN});
        test_phone_see(&phones[i]);
    }
    assert_int_equal(phones[0].seen.png.length, phones[1].seen.png.length);
    assert_memory_equal(phones[0].seen.png.data, phones[1].seen.png.data,
                        phones[0].seen.png.length);
    assert_string_equal(buf_cstr(&phones[0].seen.xml),
                        buf_cstr(&phones[1].seen.xml));
    assert_true(phones[0].seen.screen_hash == phones[1].seen.screen_hash);
    assert_int_equal(phones[0].seen.settle_ms, phones[1].seen.settle_ms);
    for (size_t i = 0; i < 2; i++)
        test_phone_stop(&phones[i]);
}

static void screen_hash_tells_whether_an_action_changed_anything(void **state)
{
    const struct phone_options options = {.seed = 5};
    struct test_phone phone;
    uint64_t first;

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_open(&phone, "Settings");
    test_phone_see(&phone);
    first = phone.seen.screen_hash;
    test_phone_do(
        &phone, &(struct action){.kind = ACTION_WAIT, .milliseconds = 180000});
    test_phone_see(&phone);
    assert_true(phone.seen.screen_hash == first); /* only its clock changed */
    test_phone_do(&phone, &(struct action){.kind = ACTION_BACK});
    test_phone_see(&phone);
    assert_true(phone.seen.screen_hash != first);
    test_phone_stop(&phone);
}

static void late_change_is_waited_for(void **state)
{
    const struct phone_options options = {.seed = 5, .faults = "slow:ms=900"};
    struct test_phone phone;

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_open(&phone, "Settings");
    test_phone_see(&phone);
    assert_string_equal(phone.seen.package, "com.android.settings");
    test_phone_do(&phone, &(struct action){.kind = ACTION_HOME});
    test_phone_see(&phone);
    assert_string_equal(phone.seen.doubt, "");
    assert_non_null(test_phone_find(&phone, "Shop"));
    test_phone_stop(&phone);
}

static void failures_of_uiautomator_are_retried(void **state)
{
    static const char *const faults[] = {
        "dump:how=null-root,times=2", "dump:how=killed,times=2",
        "dump:how=no-idle,times=1", "dump:how=stale,times=2", "png:times=2"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
        const struct phone_options options = {.faults = faults[i]};
        struct test_phone phone;

        test_phone_start(&phone, &options);
        test_phone_see(&phone);
        assert_string_equal(phone.seen.doubt, "");
        assert_true(phone.seen.has_tree);
        test_phone_stop(&phone);
    }
}

static void missing_tree_is_a_doubt(void **state)
{
    const struct phone_options options = {.faults = "dump:how=null-root"};
    struct test_phone phone;

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_see(&phone);
    assert_false(phone.seen.has_tree);
    assert_string_equal(phone.seen.doubt, "uiautomator saw no window");
    assert_true(phone.seen.png.length > 0);
    test_phone_stop(&phone);
}

static void lost_phone_fails_and_works_after_reconnecting(void **state)
{
    const struct phone_options options = {
        .faults = "drop:service=exec:screencap,after=100,times=1,skip=1"};
    struct test_phone phone;
    struct err err = ERR_INIT;

    (void)state;
    test_phone_start(&phone, &options);
    assert_false(observer_capture(phone.observer, SOON, &phone.seen, &err));
    assert_int_equal(err.code, ERR_LOST);
    test_phone_reconnect(&phone);
    test_phone_see(&phone);
    assert_string_equal(phone.seen.doubt, "");
    test_phone_stop(&phone);
}

static void rotated_phone_is_observed_rotated(void **state)
{
    const struct phone_options options = {.seed = 3};
    struct test_phone phone;

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_see(&phone);
    (void)test_phone_run(&phone, "wm user-rotation lock 1");
    test_phone_see(&phone);
    assert_int_equal(phone.seen.screen.width, 2400);
    assert_int_equal(phone.seen.screen.height, 1080);
    assert_int_equal(phone.seen.tree.rotation, 1);
    test_phone_stop(&phone);
}

/* A stopwatch runs endlessly; the rest of the screen counts. */
static void endless_animation_is_ignored(void **state)
{
    const struct phone_options options = {.seed = 3};
    struct test_phone phone;
    uint64_t running;
    int64_t first;

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_open(&phone, "Clock");
    test_phone_see(&phone);
    test_phone_tap(&phone, "Stopwatch");
    test_phone_see(&phone);
    test_phone_tap(&phone, "Start");
    test_phone_see(&phone);
    assert_string_equal(phone.seen.doubt, "");
    running = phone.seen.screen_hash;
    first = phone.seen.settle_ms;
    test_phone_see(&phone);
    assert_string_equal(phone.seen.doubt, "");
    assert_true(phone.seen.screen_hash == running);
    assert_true(phone.seen.settle_ms < first);
    test_phone_tap(&phone, "Pause");
    test_phone_see(&phone);
    assert_true(phone.seen.screen_hash != running);
    test_phone_stop(&phone);
}

static void screen_that_is_off_is_reported(void **state)
{
    const struct phone_options options = {.seed = 3};
    struct test_phone phone;
    struct err err = ERR_INIT;

    (void)state;
    test_phone_start(&phone, &options);
    (void)test_phone_run(&phone, "input keyevent 223");
    assert_true(observer_capture(phone.observer, SOON, &phone.seen, &err));
    assert_true(phone.seen.black);
    assert_string_equal(phone.seen.doubt, "the screen is off");
    test_phone_stop(&phone);
}

static void change_without_an_action_is_seen(void **state)
{
    static const char *const faults[] = {
        "popup:text=Buy now,skip=24,times=1",
        "permission:text=your location,skip=24,times=1",
        "rotate:skip=24,times=1"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
        const struct phone_options options = {.seed = 3, .faults = faults[i]};
        struct test_phone phone;
        uint64_t before;

        test_phone_start(&phone, &options);
        test_phone_open(&phone, "Settings");
        test_phone_see(&phone);
        before = phone.seen.screen_hash;
        for (int j = 0; j < 20 && phone.seen.screen_hash == before; j++)
            test_phone_see(&phone);
        assert_true(phone.seen.screen_hash != before);
        assert_string_equal(phone.seen.doubt, "");
        test_phone_stop(&phone);
    }
}

/* ---- every capture method ---- */

static enum settle_frame capture(struct frame_tracker *tracker,
                                 struct test_phone *phone)
{
    enum settle_frame frame = SETTLE_CHANGED;
    struct err err = ERR_INIT;

    if (!frame_tracker_capture(tracker, phone->device, SOON, &frame, &err))
        fail_msg("%s", err.text);
    return frame;
}

/* The picture of an observation's PNG. */
static struct tile_hashes tiles_of_png(const struct frame_tracker *tracker)
{
    struct picture picture = PICTURE_INIT;
    struct buf png = BUF_INIT((size_t)64 << 20);
    struct tile_hashes tiles = TILE_HASHES_INIT;
    struct err err = ERR_INIT;

    frame_tracker_png(tracker, &png);
    if (!png_decode(png.data, png.length, &picture, &err))
        fail_msg("%s", err.text);
    tile_hashes_compute(&tiles, &picture);
    picture_release(&picture);
    buf_release(&png);
    return tiles;
}

static void every_capture_method_gives_the_same_picture(void **state)
{
    static const enum screenshot_way ways[] = {SCREENSHOT_PNG, SCREENSHOT_RAW,
                                               SCREENSHOT_FRAMEBUFFER,
                                               SCREENSHOT_GZIP, SCREENSHOT_ANY};
    const struct tile_hash_mask clock = {.top = 100};
    const struct phone_options options = {.seed = 3};
    struct frame_pool *frames = frame_pool_open();
    struct tile_hashes first = TILE_HASHES_INIT;
    struct test_phone phone;

    (void)state;
    test_phone_start(&phone, &options);
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        struct tile_hashes shown;
        struct frame_tracker tracker;

        frame_tracker_init(&tracker, frames);
        tracker.way = ways[i];
        tracker.clock = clock.top;
        test_phone_open(&phone, "Shop");
        (void)capture(&tracker, &phone);
        assert_int_equal(capture(&tracker, &phone), SETTLE_SAME);
        shown = tiles_of_png(&tracker);
        if (!first.width)
            tile_hashes_copy(&first, &shown);
        assert_false(tile_hashes_differ(&shown, &tracker.now, &clock, NULL));
        assert_false(tile_hashes_differ(&shown, &first, &clock, NULL));
        test_phone_run(&phone, "input keyevent HOME");
        assert_int_equal(capture(&tracker, &phone), SETTLE_CHANGED);
        tile_hashes_release(&shown);
        shown = tiles_of_png(&tracker);
        assert_false(tile_hashes_differ(&shown, &tracker.now, &clock, NULL));
        tile_hashes_release(&shown);
        frame_tracker_release(&tracker);
    }
    tile_hashes_release(&first);
    test_phone_stop(&phone);
    frame_pool_close(frames);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(picture_and_tree_show_the_same_screen),
        cmocka_unit_test(the_same_seed_and_actions_give_the_same_observations),
        cmocka_unit_test(screen_hash_tells_whether_an_action_changed_anything),
        cmocka_unit_test(late_change_is_waited_for),
        cmocka_unit_test(failures_of_uiautomator_are_retried),
        cmocka_unit_test(missing_tree_is_a_doubt),
        cmocka_unit_test(lost_phone_fails_and_works_after_reconnecting),
        cmocka_unit_test(rotated_phone_is_observed_rotated),
        cmocka_unit_test(endless_animation_is_ignored),
        cmocka_unit_test(screen_that_is_off_is_reported),
        cmocka_unit_test(change_without_an_action_is_seen),
        cmocka_unit_test(every_capture_method_gives_the_same_picture),
    };

    return cmocka_run_group_tests_name("observe", tests, NULL, NULL);
}
