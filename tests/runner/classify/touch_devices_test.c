/* Touch screens by `getevent`, and where fingers on them are in pixels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "tests/runner/classify/door_session.h"

/* A controller for many fingers, keys, and a stylus for one. */
static const char listed[] =
    "add device 1: /dev/input/event2\n"
    "  name:     \"touch controller\"\n"
    "  events:\n"
    "    KEY (0001): 014a \n"
    "    ABS (0003): 0000  : value 0, min 0, max 99, fuzz 0, flat 0, "
    "resolution 0\n"
    "                0001  : value 0, min 0, max 99, fuzz 0, flat 0, "
    "resolution 0\n"
    "                002f  : value 0, min 0, max 9, fuzz 0, flat 0, "
    "resolution 0\n"
    "                0035  : value 0, min 0, max 32767, fuzz 15, flat 0, "
    "resolution 0\n"
    "                0036  : value 0, min 0, max 32767, fuzz 15, flat 0, "
    "resolution 0\n"
    "                0039  : value 0, min 0, max 65535, fuzz 0, flat 0, "
    "resolution 0\n"
    "  input props:\n"
    "    INPUT_PROP_DIRECT\n"
    "add device 2: /dev/input/event0\n"
    "  name:     \"keys\"\n"
    "  events:\n"
    "    KEY (0001): 0072  0073  0074 \n"
    "  input props:\n"
    "    <none>\n"
    "could not get driver version for /dev/input/mouse0, Not a typewriter\n"
    "add device 3: /dev/input/event5\r\n"
    "  name:     \"stylus\"\r\n"
    "  events:\r\n"
    "    KEY (0001): BTN_TOUCH             BTN_STYLUS          \r\n"
    "    ABS (0003): ABS_X                 : value 0, min -100, max 4095, "
    "fuzz 0, flat 0, resolution 0\r\n"
    "                ABS_Y                 : value 0, min 0, max 2047, "
    "fuzz 0, flat 0, resolution 0\r\n"
    "add device 4: /dev/input/event6\n"
    "  name:     \"acceleration\"\n"
    "  events:\n"
    "    ABS (0003): 0000  : value 0, min -512, max 511, fuzz 0\n"
    "                0001  : value 0, min -512, max 511, fuzz 0\n";

static void assert_device(const struct touch_devices *devices, const char *path,
                          struct touch_axis x, struct touch_axis y)
{
    const struct touch_device *device = touch_devices_find(devices, path);

    assert_non_null(device);
    assert_int_equal(device->x.min, x.min);
    assert_int_equal(device->x.max, x.max);
    assert_int_equal(device->y.min, y.min);
    assert_int_equal(device->y.max, y.max);
}

static void only_devices_for_fingers_are_listed(void **state)
{
    struct touch_devices devices;

    (void)state;
    touch_devices_parse(listed, strlen(listed), &devices);
    assert_int_equal(devices.count, 2);
    assert_device(&devices, "/dev/input/event2", (struct touch_axis){0, 32767},
                  (struct touch_axis){0, 32767});
    assert_device(&devices, "/dev/input/event5",
                  (struct touch_axis){-100, 4095},
                  (struct touch_axis){0, 2047});
    assert_null(touch_devices_find(&devices, "/dev/input/event0"));
}

static void ranges_that_are_none_are_ignored(void **state)
{
    static const char text[] =
        "add device 1: /dev/input/event1\n"
        "  0035  : value 0, min 5, max 5, fuzz 0\n"
        "  0036  : value 0, min 0, max 99999999999999999999, fuzz 0\n"
        "  0035  : value 0\n"
        "add device 2: relative\n"
        "  0035  : value 0, min 0, max 10\n"
        "  0036  : value 0, min 0, max 10";
    struct touch_devices devices;

    (void)state;
    touch_devices_parse(text, strlen(text), &devices);
    assert_int_equal(devices.count, 0);
    touch_devices_parse("", 0, &devices);
    assert_int_equal(devices.count, 0);
}

static void the_list_of_a_real_phone_is_understood(void **state)
{
    struct touch_devices devices;
    struct buf text = BUF_INIT(1 << 20);
    struct err ignored;

    (void)state;
    if (!file_load(FIXTURES_FOLDER "/device-outputs/"
                                   "zapolsky+3m-solution__getevent_-p.log",
                   &text, &ignored))
        return;
    touch_devices_parse(text.data, text.length, &devices);
    assert_int_equal(devices.count, 1);
    assert_device(&devices, "/dev/input/event2", (struct touch_axis){0, 32767},
                  (struct touch_axis){0, 32767});
    buf_release(&text);
}

/* ---- fingers ---- */

struct asked {
    int times;
    const char *text;
};

static void find_touch(void *context, struct touch_devices *devices)
{
    struct asked *asked = context;

    asked->times++;
    touch_devices_parse(asked->text, strlen(asked->text), devices);
}

static void begin(struct door_session *session, struct asked *asked,
                  struct touch_display display)
{
    const struct door_options options = {
        .display = display, .find_touch = find_touch, .context = asked};

    door_session_init(session);
    door_classifier_free(session->classifier);
    session->classifier = door_classifier_new(&options);
}

static void expect_line(struct door_session *session, const char *service,
                        const char *expected)
{
    door_session_end(session, door_session_open(session, service));
    door_session_expect(session, expected);
}

#define EVENT "sendevent /dev/input/event2 "
#define FINGER(x, y) EVENT "3 53 " x ";" EVENT "3 54 " y ";"
#define TOUCH_B(x, y)                                                          \
    "shell:" EVENT "3 57 7;" FINGER(x, y) EVENT                                \
        "0 0 0;" EVENT "3 57 4294967295;" EVENT "0 0 0"
#define TOUCH_A(x, y)                                                          \
    "shell:" FINGER(x, y) EVENT "0 2 0;" EVENT "0 0 0;" EVENT "0 2 0;" EVENT   \
                                "0 0 0"

static void positions_become_pixels_in_both_protocols(void **state)
{
    struct asked asked = {.text = listed};
    struct door_session session;

    (void)state;
    begin(&session, &asked, (struct touch_display){.size = {1080, 2400}});
    expect_line(&session, "shell:getprop", "read");
    assert_int_equal(asked.times, 0);
    expect_line(&session, TOUCH_B("16384", "8192"),
                "click 540 600 ; +click 540 600");
    door_session_release(&session);
    begin(&session, &asked, (struct touch_display){.size = {1080, 2400}});
    expect_line(&session, TOUCH_A("32767", "32767"),
                "click 1079 2399 ; +click 1079 2399");
    session.now += 1000;
    expect_line(&session, TOUCH_A("0", "0"), "click 0 0 ; +click 0 0");
    assert_int_equal(asked.times, 2);
    door_session_release(&session);
}

static void a_turned_display_has_its_own_points(void **state)
{
    static const struct {
        struct touch_display display;
        const char *expected;
    } cases[] = {
        {{.size = {1080, 2400}, .rotation = 2},
         "click 809 2249 ; +click 809 2249"},
        {{.size = {2400, 1080}, .rotation = 1},
         "click 150 809 ; +click 150 809"},
        {{.size = {2400, 1080}, .rotation = 3},
         "click 2249 270 ; +click 2249 270"},
    };
    struct asked asked = {.text = listed};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct door_session session;

        begin(&session, &asked, cases[i].display);
        expect_line(&session, TOUCH_B("8192", "2048"), cases[i].expected);
        door_session_release(&session);
    }
}

/* No position is invented for a device whose ranges are not known. */
static void axes_of_other_devices_are_raw(void **state)
{
    struct asked asked = {.text = "getevent: not found\n"};
    struct door_session session;

    (void)state;
    begin(&session, &asked, (struct touch_display){.size = {1080, 2400}});
    expect_line(&session, "shell:" EVENT "3 53 5", "raw");
    expect_line(&session, "shell:" EVENT "3 54 5", "raw");
    assert_int_equal(asked.times, 1);
    door_session_release(&session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_devices_for_fingers_are_listed),
        cmocka_unit_test(ranges_that_are_none_are_ignored),
        cmocka_unit_test(the_list_of_a_real_phone_is_understood),
        cmocka_unit_test(positions_become_pixels_in_both_protocols),
        cmocka_unit_test(a_turned_display_has_its_own_points),
        cmocka_unit_test(axes_of_other_devices_are_raw),
    };

    return cmocka_run_group_tests_name("touch_devices", tests, NULL, NULL);
}
