#include "runner/observe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/png.h"
#include "runner/eye.h"
#include "tests/runner/test_phone.h"

static void a_picture_and_its_tree_are_of_the_same_screen(void **state)
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
    assert_true(phones[0].seen.looks == phones[1].seen.looks);
    assert_int_equal(phones[0].seen.settle_ms, phones[1].seen.settle_ms);
    for (size_t i = 0; i < 2; i++)
        test_phone_stop(&phones[i]);
}

static void looks_tell_whether_an_action_changed_anything(void **state)
{
    const struct phone_options options = {.seed = 5};
    struct test_phone phone;
    uint64_t first;

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_open(&phone, "Settings");
    test_phone_see(&phone);
    first = phone.seen.looks;
    test_phone_do(
        &phone, &(struct action){.kind = ACTION_WAIT, .milliseconds = 180000});
    test_phone_see(&phone);
    assert_true(phone.seen.looks == first); /* only its clock went on */
    test_phone_do(&phone, &(struct action){.kind = ACTION_BACK});
    test_phone_see(&phone);
    assert_true(phone.seen.looks != first);
    test_phone_stop(&phone);
}

static void what_comes_late_is_waited_for(void **state)
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

static void failures_of_uiautomator_are_survived(void **state)
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

static void a_tree_that_never_comes_is_a_doubt(void **state)
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

static void a_lost_phone_is_a_failure_and_goes_on_when_it_is_back(void **state)
{
    const struct phone_options options = {
        .faults = "drop:service=exec:screencap,after=100,times=1,skip=1"};
    struct test_phone phone;
    struct err err = ERR_INIT;

    (void)state;
    test_phone_start(&phone, &options);
    assert_false(observer_look(phone.observer, SOON, &phone.seen, &err));
    assert_int_equal(err.code, ERR_LOST);
    test_phone_reconnect(&phone);
    test_phone_see(&phone);
    assert_string_equal(phone.seen.doubt, "");
    test_phone_stop(&phone);
}

static void a_phone_that_is_turned_is_seen_as_it_is(void **state)
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

/* A stopwatch runs for ever; what is beside it counts. */
static void what_runs_for_ever_is_left_out(void **state)
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
    running = phone.seen.looks;
    first = phone.seen.settle_ms;
    test_phone_see(&phone);
    assert_string_equal(phone.seen.doubt, "");
    assert_true(phone.seen.looks == running);
    assert_true(phone.seen.settle_ms < first);
    test_phone_tap(&phone, "Pause");
    test_phone_see(&phone);
    assert_true(phone.seen.looks != running);
    test_phone_stop(&phone);
}

static void a_screen_that_is_off_is_black_and_said_so(void **state)
{
    const struct phone_options options = {.seed = 3};
    struct test_phone phone;
    struct err err = ERR_INIT;

    (void)state;
    test_phone_start(&phone, &options);
    (void)test_phone_run(&phone, "input keyevent 223");
    assert_true(observer_look(phone.observer, SOON, &phone.seen, &err));
    assert_true(phone.seen.black);
    assert_string_equal(phone.seen.doubt, "the screen is off");
    test_phone_stop(&phone);
}

static void what_comes_by_itself_is_seen(void **state)
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
        before = phone.seen.looks;
        for (int j = 0; j < 20 && phone.seen.looks == before; j++)
            test_phone_see(&phone);
        assert_true(phone.seen.looks != before);
        assert_string_equal(phone.seen.doubt, "");
        test_phone_stop(&phone);
    }
}

/* ---- every way to a picture ---- */

static enum settle_frame look(struct eye *eye, struct test_phone *phone)
{
    enum settle_frame frame = SETTLE_OTHER;
    struct err err = ERR_INIT;

    if (!eye_look(eye, phone->device, SOON, &frame, &err))
        fail_msg("%s", err.text);
    return frame;
}

/* What the PNG shows that an eye hands out. */
static struct tiles tiles_of_png(const struct eye *eye)
{
    struct picture picture = PICTURE_INIT;
    struct buf png = BUF_INIT((size_t)64 << 20);
    struct tiles tiles = TILES_INIT;
    struct err err = ERR_INIT;

    eye_png(eye, &png);
    if (!png_decode(png.data, png.length, &picture, &err))
        fail_msg("%s", err.text);
    tiles_take(&tiles, &picture);
    picture_release(&picture);
    buf_release(&png);
    return tiles;
}

static void every_way_to_a_picture_shows_the_same(void **state)
{
    static const enum screenshot_way ways[] = {SCREENSHOT_PNG, SCREENSHOT_RAW,
                                               SCREENSHOT_FRAMEBUFFER,
                                               SCREENSHOT_GZIP, SCREENSHOT_ANY};
    const struct tiles_mask clock = {.top = 100};
    const struct phone_options options = {.seed = 3};
    struct frames *frames = frames_open();
    struct tiles first = TILES_INIT;
    struct test_phone phone;

    (void)state;
    test_phone_start(&phone, &options);
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        struct tiles shown;
        struct eye eye;

        eye_init(&eye, frames);
        eye.way = ways[i];
        eye.clock = clock.top;
        test_phone_open(&phone, "Shop");
        (void)look(&eye, &phone);
        assert_int_equal(look(&eye, &phone), SETTLE_SAME);
        shown = tiles_of_png(&eye);
        if (!first.width)
            tiles_copy(&first, &shown);
        assert_false(tiles_differ(&shown, &eye.now, &clock, NULL));
        assert_false(tiles_differ(&shown, &first, &clock, NULL));
        test_phone_run(&phone, "input keyevent HOME");
        assert_int_equal(look(&eye, &phone), SETTLE_OTHER);
        tiles_release(&shown);
        shown = tiles_of_png(&eye);
        assert_false(tiles_differ(&shown, &eye.now, &clock, NULL));
        tiles_release(&shown);
        eye_release(&eye);
    }
    tiles_release(&first);
    test_phone_stop(&phone);
    frames_close(frames);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_and_its_tree_are_of_the_same_screen),
        cmocka_unit_test(the_same_seed_and_actions_give_the_same_observations),
        cmocka_unit_test(looks_tell_whether_an_action_changed_anything),
        cmocka_unit_test(what_comes_late_is_waited_for),
        cmocka_unit_test(failures_of_uiautomator_are_survived),
        cmocka_unit_test(a_tree_that_never_comes_is_a_doubt),
        cmocka_unit_test(a_lost_phone_is_a_failure_and_goes_on_when_it_is_back),
        cmocka_unit_test(a_phone_that_is_turned_is_seen_as_it_is),
        cmocka_unit_test(what_runs_for_ever_is_left_out),
        cmocka_unit_test(a_screen_that_is_off_is_black_and_said_so),
        cmocka_unit_test(what_comes_by_itself_is_seen),
        cmocka_unit_test(every_way_to_a_picture_shows_the_same),
    };

    return cmocka_run_group_tests_name("observe", tests, NULL, NULL);
}
