/* The commands that look at the screen and use it, through the shell. */

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/picture/png.h"
#include "base/picture/screencap.h"
#include "tests/tools/phone/services/system_phone.h"

static void screencap_prints_png_and_raw_of_the_same(void **state)
{
    struct picture png = PICTURE_INIT;
    struct picture raw = PICTURE_INIT;
    struct err err = ERR_INIT;
    const struct buf *out = system_phone_run(*state, "screencap -p", 0);

    assert_true(png_decode(out->data, out->length, &png, &err));
    out = system_phone_run(*state, "screencap", 0);
    assert_int_equal(out->length, 16 + 1080 * 2400 * 4);
    assert_true(screencap_decode(out->data, out->length, &raw, &err));
    assert_int_equal(png.width, 1080);
    assert_int_equal(png.height, 2400);
    assert_memory_equal(png.pixels, raw.pixels, png.stride * png.height);
    picture_release(&png);
    picture_release(&raw);
}

static void screencap_writes_files(void **state)
{
    assert_phone_prints(
        *state,
        "cd /sdcard; screencap -p a; screencap b.png; screencap c; "
        "[ \"$(md5sum <a)\" = \"$(md5sum <b.png)\" ] && stat -c %s c",
        "10368016\n");
    system_phone_run(*state, "screencap -p /system/no.png", 1);
    system_phone_run(*state, "screencap -p /sdcard", 1);
}

static void dump_is_written_to_the_given_file(void **state)
{
    const struct buf *out;

    assert_phone_prints(*state, "uiautomator dump",
                        "UI hierchary dumped to: /sdcard/window_dump.xml\n");
    assert_phone_prints(*state, "uiautomator dump /sdcard/a.xml",
                        "UI hierchary dumped to: /sdcard/a.xml\n");
    system_phone_run(
        *state,
        "cd /sdcard; "
        "[ \"$(md5sum <a.xml)\" = \"$(md5sum <window_dump.xml)\" ]",
        0);
    out = system_phone_run(*state, "uiautomator dump --compressed /dev/tty", 0);
    assert_non_null(strstr(out->data, "<?xml version='1.0'"));
    assert_non_null(
        strstr(out->data, "</hierarchy>UI hierchary dumped to: /dev/tty\n"));
    assert_null(strstr(out->data, "LinearLayout"));
    assert_true(system_phone_shows(*state, "LinearLayout"));
}

static void taps_and_keys_reach_the_app(void **state)
{
    system_phone_run(*state, "input tap 900 500.5", 0);
    assert_true(system_phone_shows(*state, "package=\"org.proctor.shop\""));
    system_phone_run(*state, "input keyevent KEYCODE_BACK", 0);
    assert_false(system_phone_shows(*state, "org.proctor.shop"));
    system_phone_run(*state, "input touchscreen -d 0 tap 900 500", 0);
    assert_true(system_phone_shows(*state, "org.proctor.shop"));
    system_phone_run(*state, "input keyevent 3", 0);
    assert_false(system_phone_shows(*state, "org.proctor.shop"));
}

/* The duration is measured in the phone's time, which the swipe advances. */
static void a_swipe_in_place_is_a_long_press(void **state)
{
    struct system_phone *phone = *state;
    int64_t before = virtual_clock_now(&phone->handset.clock);

    system_phone_run(phone, "input swipe 900 500 900 500 1000", 0);
    assert_true(virtual_clock_now(&phone->handset.clock) ==
                before + PHONE_SECOND);
    assert_true(system_phone_shows(phone, "org.proctor.shop"));
    system_phone_run(phone, "input swipe 540 2395 540 1200 200", 0);
    assert_false(system_phone_shows(phone, "org.proctor.shop"));
}

static void motionevent_keeps_the_finger_down(void **state)
{
    system_phone_run(*state, "input motionevent DOWN 900 500", 0);
    assert_false(system_phone_shows(*state, "org.proctor.shop"));
    system_phone_run(
        *state, "input motionevent MOVE 905 500; input motionevent UP 905 500",
        0);
    assert_true(system_phone_shows(*state, "org.proctor.shop"));
}

static void percent_s_types_a_blank(void **state)
{
    system_phone_run(*state, "input tap 540 2220; input text 'a%sb%c\\d'", 0);
    assert_true(system_phone_shows(*state, "text=\"a b%c\\d\""));
    system_phone_run(*state, "input keyevent 67 DEL --longpress KEYCODE_DEL",
                     0);
    assert_true(system_phone_shows(*state, "text=\"a b%\""));
    system_phone_run(*state, "input text 中", 255);
    assert_true(system_phone_shows(*state, "text=\"a b%\""));
}

static void invalid_arguments_are_refused(void **state)
{
    static const char *const texts[] = {
        "input",
        "input dance",
        "input tap",
        "input tap 1",
        "input tap a b",
        "input tap nan 1",
        "input swipe 1 2 3",
        "input swipe 1 2 3 4 soon",
        "input motionevent",
        "input motionevent SIDEWAYS 1 1",
        "input motionevent DOWN",
        "input keyevent",
        "input text",
        "wm",
        "wm dance",
        "wm size large",
        "wm size 10x10",
        "wm size 1080x",
        "wm size 99999x99999",
        "wm size 4294968376x2400",
        "wm density 1",
        "wm user-rotation lock 4",
    };

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        system_phone_run(*state, texts[i], 255);
    system_phone_run(*state, "input tap 1e300 -1e300", 0);
    system_phone_run(*state, "input swipe 0 0 1e9 1e9 1e300", 0);
}

static void wm_prints_and_sets_the_display(void **state)
{
    assert_phone_prints(*state, "wm size; wm density",
                        "Physical size: 1080x2400\nPhysical density: 440\n");
    assert_phone_prints(*state,
                        "wm size 720x1280; wm density 320; wm size; "
                        "wm density",
                        "Physical size: 1080x2400\nOverride size: 720x1280\n"
                        "Physical density: 440\nOverride density: 320\n");
    assert_true(system_phone_shows(*state, "bounds=\"[0,0][720,1280]\""));
    assert_phone_prints(*state, "wm size reset; wm density reset; wm size",
                        "Physical size: 1080x2400\n");
    system_phone_run(*state, "wm user-rotation lock 1", 0);
    assert_true(system_phone_shows(*state, "<hierarchy rotation=\"1\">"));
    assert_true(system_phone_shows(*state, "bounds=\"[0,0][2400,1080]\""));
    assert_phone_prints(*state,
                        "wm user-rotation; wm user-rotation free; "
                        "wm user-rotation",
                        "lock 1\nfree\n");
}

int main(void)
{
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, system_phone_set_up,                 \
                                    system_phone_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(screencap_prints_png_and_raw_of_the_same),
        TEST(screencap_writes_files),
        TEST(dump_is_written_to_the_given_file),
        TEST(taps_and_keys_reach_the_app),
        TEST(a_swipe_in_place_is_a_long_press),
        TEST(motionevent_keeps_the_finger_down),
        TEST(percent_s_types_a_blank),
        TEST(invalid_arguments_are_refused),
        TEST(wm_prints_and_sets_the_display),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
