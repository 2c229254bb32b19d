#include "adb/screenshot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/support/loop_device.h"

#define SOON deadline_in_ms(60000)

/* No real PNG, but what it begins and ends with; bytes are kept as they are. */
#define PNG_CUT "\x89PNG\r\n\x1a\n\r\n\0\x01"
#define PNG PNG_CUT "\0\0\0\0IEND\xae\x42\x60\x82"

/* One red pixel: width, height, format 1, colour space. */
#define RAW "\x01\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\xff\0\0\xff"

#define FRAME                                                                  \
    "\x02\0\0\0\x20\0\0\0\0\0\0\0\x04\0\0\0\x01\0\0\0\x01\0\0\0"               \
    "\0\0\0\0\x08\0\0\0\x10\0\0\0\x08\0\0\0\x08\0\0\0\x08\0\0\0"               \
    "\x18\0\0\0\x08\0\0\0\0\xff\0\xff"

#define NOT_FOUND "sh: screencap: not found\n"

struct fixture {
    struct loop_device *loop;
    struct device *device;
    struct screenshot shot;
};

static void connect_to(struct fixture *fixture,
                       const struct loop_answer *answers, size_t count,
                       feature_set features)
{
    const struct loop_device_options options = {
        .features = features, .answers = answers, .answer_count = count};

    fixture->device = loop_device_phone(&options, &fixture->loop);
    fixture->shot = (struct screenshot)SCREENSHOT_INIT;
}

static void hang_up(struct fixture *fixture)
{
    screenshot_release(&fixture->shot);
    device_close(fixture->device);
    loop_device_stop(fixture->loop);
}

static void take(struct fixture *fixture, enum screenshot_way way)
{
    struct err err = ERR_INIT;

    if (!screenshot_take(fixture->device, way, SOON, &fixture->shot, &err))
        fail_msg("%s", err.text);
}

static void assert_png(const struct fixture *fixture)
{
    assert_int_equal(fixture->shot.way, SCREENSHOT_PNG);
    assert_int_equal(fixture->shot.bytes.length, sizeof(PNG) - 1);
    assert_memory_equal(fixture->shot.bytes.data, PNG, sizeof(PNG) - 1);
}

static void assert_pixel(const struct fixture *fixture, const char *pixel)
{
    assert_int_equal(fixture->shot.picture.width, 1);
    assert_int_equal(fixture->shot.picture.height, 1);
    assert_memory_equal(fixture->shot.picture.pixels, pixel, 4);
}

static void each_way_is_taken_when_asked_for(void **state)
{
    static const struct loop_answer answers[] = {
        LOOP_SAYS("exec:screencap -p", PNG),
        LOOP_SAYS("exec:screencap", RAW),
        LOOP_SAYS("framebuffer:", FRAME),
    };
    struct fixture fixture;

    (void)state;
    connect_to(&fixture, answers, ARRAY_LEN(answers), conn_host_features);
    take(&fixture, SCREENSHOT_PNG);
    assert_png(&fixture);
    take(&fixture, SCREENSHOT_RAW);
    assert_pixel(&fixture, "\xff\0\0\xff");
    take(&fixture, SCREENSHOT_FRAMEBUFFER);
    assert_pixel(&fixture, "\0\xff\0\xff");
    take(&fixture, SCREENSHOT_ANY);
    assert_png(&fixture);
    hang_up(&fixture);
}

static void any_falls_back_until_something_works(void **state)
{
    static const struct loop_answer answers[] = {
        LOOP_SAYS("exec:screencap -p", NOT_FOUND),
        LOOP_SAYS("exec:screencap", NOT_FOUND),
        LOOP_SAYS("framebuffer:", FRAME),
    };
    struct fixture fixture;

    (void)state;
    connect_to(&fixture, answers, ARRAY_LEN(answers), 0);
    take(&fixture, SCREENSHOT_ANY);
    assert_int_equal(fixture.shot.way, SCREENSHOT_FRAMEBUFFER);
    hang_up(&fixture);
}

static void without_exec_the_shell_is_used(void **state)
{
    static const struct loop_answer answers[] = {
        LOOP_SAYS("shell,v2,raw:screencap -p",
                  "\x01\x18\0\0\0" PNG "\x03\x01\0\0\0\0"),
    };
    struct fixture fixture;

    (void)state;
    assert_int_equal(sizeof(PNG) - 1, 0x18);
    connect_to(&fixture, answers, ARRAY_LEN(answers), conn_host_features);
    take(&fixture, SCREENSHOT_PNG);
    assert_png(&fixture);
    hang_up(&fixture);
}

static void a_warning_mixed_into_exec_is_avoided(void **state)
{
    static const struct loop_answer answers[] = {
        LOOP_SAYS("exec:screencap -p", "[Warning] Multiple displays\n" PNG),
        LOOP_SAYS("shell,v2,raw:screencap -p",
                  "\x02\x04\0\0\0oops"
                  "\x01\x18\0\0\0" PNG "\x03\x01\0\0\0\0"),
    };
    struct fixture fixture;

    (void)state;
    connect_to(&fixture, answers, ARRAY_LEN(answers), conn_host_features);
    take(&fixture, SCREENSHOT_PNG);
    assert_png(&fixture);
    hang_up(&fixture);
}

static void assert_fails(const struct loop_answer *answers, size_t count,
                         enum screenshot_way way, const char *const *words)
{
    struct fixture fixture;
    struct err err = ERR_INIT;

    connect_to(&fixture, answers, count, 0);
    assert_false(
        screenshot_take(fixture.device, way, SOON, &fixture.shot, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    for (; *words; words++) {
        if (!strstr(err.text, *words))
            fail_msg("no \"%s\" in \"%s\"", *words, err.text);
    }
    hang_up(&fixture);
}

static void a_device_that_cannot_is_told_with_all_that_was_tried(void **state)
{
    static const struct loop_answer answers[] = {
        LOOP_SAYS("exec:screencap -p", NOT_FOUND),
    };

    (void)state;
    assert_fails(answers, 1, SCREENSHOT_ANY,
                 (const char *const[]){"screencap -p (sh: screencap: not found",
                                       "screencap (", "framebuffer: (",
                                       "does not offer", NULL});
}

static void a_png_that_is_cut_is_refused(void **state)
{
    static const struct loop_answer answers[] = {
        LOOP_SAYS("exec:screencap -p", PNG_CUT),
    };

    (void)state;
    assert_fails(answers, 1, SCREENSHOT_PNG,
                 (const char *const[]){"cut short", NULL});
}

static void a_raw_screen_that_is_cut_is_refused(void **state)
{
    static const struct loop_answer answers[] = {
        {.service = "exec:screencap", .bytes = RAW, .length = 18},
    };

    (void)state;
    assert_fails(answers, 1, SCREENSHOT_RAW,
                 (const char *const[]){"1x1 pixels", NULL});
}

static void a_lost_device_is_no_reason_to_try_on(void **state)
{
    struct fixture fixture;
    struct err err = ERR_INIT;

    (void)state;
    connect_to(&fixture, NULL, 0, conn_host_features);
    loop_device_vanish(fixture.loop);
    assert_false(screenshot_take(fixture.device, SCREENSHOT_ANY, SOON,
                                 &fixture.shot, &err));
    assert_int_equal(err.code, ERR_LOST);
    hang_up(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_is_taken_when_asked_for),
        cmocka_unit_test(any_falls_back_until_something_works),
        cmocka_unit_test(without_exec_the_shell_is_used),
        cmocka_unit_test(a_warning_mixed_into_exec_is_avoided),
        cmocka_unit_test(a_device_that_cannot_is_told_with_all_that_was_tried),
        cmocka_unit_test(a_png_that_is_cut_is_refused),
        cmocka_unit_test(a_raw_screen_that_is_cut_is_refused),
        cmocka_unit_test(a_lost_device_is_no_reason_to_try_on),
    };

    return cmocka_run_group_tests_name("screenshot", tests, NULL, NULL);
}
