/* getevent and sendevent. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/keycode.h"
#include "tests/tools/phone/services/system_phone.h"

static void capabilities_of_devices_are_listed(void **state)
{
    assert_phone_prints(
        *state, "getevent -p /dev/input/event1",
        "add device 1: /dev/input/event1\n"
        "  name:     \"proctor_touch\"\n"
        "  events:\n"
        "    KEY (0001): 014a \n"
        "    ABS (0003): 002f  : value 0, min 0, max 9, fuzz 0, flat 0, "
        "resolution 0\n"
        "                0035  : value 0, min 0, max 32767, fuzz 0, flat 0, "
        "resolution 0\n"
        "                0036  : value 0, min 0, max 32767, fuzz 0, flat 0, "
        "resolution 0\n"
        "                0039  : value 0, min 0, max 65535, fuzz 0, flat 0, "
        "resolution 0\n"
        "  input props:\n"
        "    INPUT_PROP_DIRECT\n");
    assert_phone_says(*state, "getevent -lp",
                      "    ABS (0003): ABS_MT_SLOT           : value 0, min 0, "
                      "max 9, fuzz 0, flat 0, resolution 0\n"
                      "                ABS_MT_POSITION_X     : value 0, min 0, "
                      "max 32767,");
    assert_phone_says(*state, "getevent -lp",
                      "add device 3: /dev/input/event0\n"
                      "  name:     \"gpio-keys\"\n"
                      "  events:\n"
                      "    KEY (0001): KEY_VOLUMEDOWN        KEY_VOLUMEUP  "
                      "        KEY_POWER            \n"
                      "  input props:\n"
                      "    <none>\n");
    assert_phone_fails(*state, "getevent /dev/input/event9", 1,
                       "could not open /dev/input/event9, No such file or "
                       "directory\n");
}

static void tap_and_press(struct system_phone *phone)
{
    phone->waits = NULL;
    input_devices_touch(phone->context.devices, SCREEN_DOWN, 540, 1200);
    input_devices_touch(phone->context.devices, SCREEN_UP, 540, 1200);
    input_devices_key(phone->context.devices, KEY_POWER);
}

static void input_is_printed_live(void **state)
{
    struct system_phone *phone = *state;

    phone->waits = tap_and_press;
    assert_phone_prints(phone, "getevent -lt -q -c 9",
                        "[    3600.000000] /dev/input/event1: EV_ABS       "
                        "ABS_MT_TRACKING_ID   00000000\n"
                        "[    3600.000000] /dev/input/event1: EV_KEY       "
                        "BTN_TOUCH            DOWN                \n"
                        "[    3600.000000] /dev/input/event1: EV_ABS       "
                        "ABS_MT_POSITION_X    00004000\n"
                        "[    3600.000000] /dev/input/event1: EV_ABS       "
                        "ABS_MT_POSITION_Y    00004000\n"
                        "[    3600.000000] /dev/input/event1: EV_SYN       "
                        "SYN_REPORT           00000000\n"
                        "[    3600.000000] /dev/input/event1: EV_ABS       "
                        "ABS_MT_TRACKING_ID   ffffffff\n"
                        "[    3600.000000] /dev/input/event1: EV_KEY       "
                        "BTN_TOUCH            UP                  \n"
                        "[    3600.000000] /dev/input/event1: EV_SYN       "
                        "SYN_REPORT           00000000\n"
                        "[    3600.000000] /dev/input/event0: EV_KEY       "
                        "KEY_POWER            DOWN                \n");
    phone->waits = tap_and_press;
    assert_phone_prints(phone, "getevent -c 2 /dev/input/event0",
                        "0001 0074 00000001\n0000 0000 00000000\n");
}

/* The axes are not pixels: 900 of 1080 and 500 of 2400. */
#define SHOP_X "27307"
#define SHOP_Y "6827"
#define SEND "sendevent /dev/input/event1 "

static void written_events_touch_the_screen(void **state)
{
    assert_phone_prints(*state,
                        SEND "3 47 0; " SEND "3 57 7; " SEND "1 330 1; " SEND
                             "3 53 " SHOP_X "; " SEND "3 54 " SHOP_Y "; " SEND
                             "0 0 0; " SEND "3 57 4294967295; " SEND
                             "1 330 0; " SEND "0 0 0",
                        "");
    assert_true(system_phone_shows(*state, "package=\"org.proctor.shop\""));
    assert_phone_prints(*state,
                        "sendevent /dev/input/event2 1 158 1; "
                        "sendevent /dev/input/event2 0 0 0; "
                        "sendevent /dev/input/event2 1 158 0",
                        "");
    assert_false(system_phone_shows(*state, "package=\"org.proctor.shop\""));
}

/* The second finger of two does nothing, and neither does half a report. */
static void only_the_first_finger_counts(void **state)
{
    system_phone_run(*state,
                     SEND "3 47 0; " SEND "3 57 1; " SEND "3 53 16384; " SEND
                          "3 54 20000; " SEND "0 0 0; " SEND "3 47 1; " SEND
                          "3 57 2; " SEND "3 53 " SHOP_X "; " SEND
                          "3 54 " SHOP_Y "; " SEND "0 0 0; " SEND
                          "3 57 -1; " SEND "0 0 0",
                     0);
    assert_false(system_phone_shows(*state, "package=\"org.proctor.shop\""));
}

static void a_turned_display_has_the_same_touch_screen(void **state)
{
    struct system_phone *phone = *state;
    struct input_event event;
    uint64_t number = 2;

    system_phone_run(phone, "wm user-rotation lock 1; input tap 2399 0", 0);
    assert_true(input_devices_read(phone->context.devices, &number, &event));
    assert_int_equal(event.code, INPUT_MT_X);
    assert_int_equal(event.value, 32738); /* 1079 of 1080 */
    number++;
    assert_true(input_devices_read(phone->context.devices, &number, &event));
    assert_int_equal(event.value, 32755); /* 2399 of 2400 */
}

static void invalid_arguments_are_refused(void **state)
{
    assert_phone_fails(*state, "sendevent /dev/input/event9 0 0 0", 1,
                       "sendevent: /dev/input/event9: No such file or "
                       "directory\n");
    assert_phone_fails(*state, SEND "0 0", 1,
                       "sendevent: Need 4 arguments (see \"sendevent "
                       "--help\")\n");
    system_phone_run(*state, SEND "3 47 99; " SEND "3 57 3; " SEND "0 0 0", 0);
    system_phone_run(*state, SEND "70000 0 0", 1);
}

int main(void)
{
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, system_phone_set_up,                 \
                                    system_phone_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(capabilities_of_devices_are_listed),
        TEST(input_is_printed_live),
        TEST(written_events_touch_the_screen),
        TEST(only_the_first_finger_counts),
        TEST(a_turned_display_has_the_same_touch_screen),
        TEST(invalid_arguments_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
