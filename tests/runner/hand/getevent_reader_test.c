/* Lines of getevent as contacts and keys, also when they are strange. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/keycode.h"
#include "base/macros.h"
#include "runner/hand/getevent_reader.h"

#define PATH "/dev/input/event2: "

struct listener {
    struct getevent_reader reader;
    char text[1024];
};

static void take_contact(void *context, const struct touch_contact *contact)
{
    static const char *const phases[] = {"down", "move", "up", "cancel"};
    struct listener *listener = context;
    size_t used = strlen(listener->text);

    snprintf(listener->text + used, sizeof(listener->text) - used,
             "%lld %s %llu %d %d\n", (long long)contact->at_ms,
             phases[contact->phase], (unsigned long long)contact->pointer,
             contact->x, contact->y);
}

static void take_key(void *context, const struct getevent_key *key)
{
    struct listener *listener = context;
    size_t used = strlen(listener->text);

    snprintf(listener->text + used, sizeof(listener->text) - used,
             "%lld key %d %s\n", (long long)key->at_ms, key->key,
             key->down ? "down" : "up");
}

static void begin_with(struct listener *listener,
                       const struct touch_display *display, size_t devices)
{
    struct touch_devices listed = {.count = devices};

    for (size_t i = 0; i < devices; i++) {
        listed.items[i] = (struct touch_device){.x = {0, 999}, .y = {0, 1999}};
        snprintf(listed.items[i].path, sizeof(listed.items[i].path),
                 "/dev/input/event%zu", i + 2);
    }
    listener->text[0] = '\0';
    getevent_reader_init(
        &listener->reader, &listed, display,
        &(struct getevent_sink){take_contact, take_key, listener});
}

static void begin(struct listener *listener)
{
    const struct touch_display display = {.size = {1000, 2000}};

    begin_with(listener, &display, 2);
}

static void feed(struct listener *listener, const char *text, int64_t now)
{
    getevent_reader_feed(&listener->reader, text, strlen(text), now);
}

static void expect(struct listener *listener, const char *expected)
{
    assert_string_equal(listener->text, expected);
    listener->text[0] = '\0';
}

#define DOWN(slot, id, x, y)                                                   \
    PATH "0003 002f " slot "\n" PATH "0003 0039 " id "\n" PATH "0003 0035 " x  \
         "\n" PATH "0003 0036 " y "\n"
#define SYNC PATH "0000 0000 00000000\n"

static void a_finger_moves_from_report_to_report(void **state)
{
    struct listener listener;

    (void)state;
    begin(&listener);
    feed(&listener, DOWN("00000000", "00000007", "00000010", "00000020"), 5);
    expect(&listener, "");
    feed(&listener, SYNC, 9);
    expect(&listener, "9 down 0 16 32\n");
    feed(&listener, PATH "0003 0035 00000011\n" SYNC SYNC, 17);
    expect(&listener, "17 move 0 17 32\n");
    feed(&listener, PATH "0003 0039 ffffffff\n" SYNC, 25);
    expect(&listener, "25 up 0 17 32\n");
}

static void a_new_id_in_a_slot_is_another_finger(void **state)
{
    struct listener listener;

    (void)state;
    begin(&listener);
    feed(&listener, DOWN("00000001", "00000007", "00000010", "00000020") SYNC,
         5);
    feed(&listener, PATH "0003 0039 00000008\n" SYNC, 9);
    expect(&listener, "5 down 1 16 32\n9 up 1 16 32\n9 down 1 16 32\n");
}

static void times_are_those_of_the_phone(void **state)
{
    struct listener listener;

    (void)state;
    begin(&listener);
    feed(&listener,
         "[      12.345678] /dev/input/event2: EV_ABS       "
         "ABS_MT_TRACKING_ID   00000001            \r\n"
         "[      12.345678] /dev/input/event2: EV_SYN       SYN_REPORT       "
         "    00000000            \r\n",
         99);
    expect(&listener, "12345 down 0 0 0\n");
}

static void keys_of_any_device_are_reported(void **state)
{
    struct listener listener;

    (void)state;
    begin(&listener);
    feed(&listener,
         "/dev/input/event0: EV_KEY       KEY_POWER            DOWN\n"
         "/dev/input/event0: EV_KEY       KEY_POWER            REPEAT\n"
         "/dev/input/event0: EV_KEY       KEY_POWER            UP\n"
         "/dev/input/event7: 0001 0073 00000001\n"
         "/dev/input/event2: 0001 009e 00000001\n"
         "/dev/input/event0: EV_KEY       KEY_A                DOWN\n"
         "/dev/input/event0: 0001 001e 00000001\n",
         7);
    expect(&listener,
           "7 key 26 down\n7 key 26 up\n7 key 24 down\n7 key 4 down\n"
           "7 key 0 down\n7 key 0 down\n");
}

static void two_touch_screens_have_different_pointers(void **state)
{
    struct listener listener;

    (void)state;
    begin(&listener);
    feed(&listener, DOWN("00000000", "00000007", "00000010", "00000020") SYNC,
         5);
    feed(&listener,
         "/dev/input/event3: 0003 0039 00000001\n"
         "/dev/input/event3: 0003 0035 00000001\n"
         "/dev/input/event3: 0000 0000 00000000\n",
         6);
    expect(&listener, "5 down 0 16 32\n6 down 10 1 0\n");
}

static void lost_events_cancel_all_fingers(void **state)
{
    struct listener listener;

    (void)state;
    begin(&listener);
    feed(&listener, DOWN("00000000", "00000007", "00000010", "00000020") SYNC,
         5);
    feed(&listener,
         PATH "0000 0003 00000000\n" PATH "0003 0035 00000300\n" SYNC, 9);
    feed(&listener, PATH "0003 0036 00000300\n" SYNC, 10);
    expect(&listener, "5 down 0 16 32\n9 cancel 0 16 32\n");
}

static void the_end_cancels_all_fingers(void **state)
{
    struct listener listener;

    (void)state;
    begin(&listener);
    feed(&listener,
         DOWN("00000000", "00000007", "00000010", "00000020") PATH
         "0000 0000 00000000",
         5);
    getevent_reader_end(&listener.reader, 8);
    expect(&listener, "8 down 0 16 32\n8 cancel 0 16 32\n");
}

static void long_and_strange_lines_are_skipped(void **state)
{
    static const char *const lines[] = {
        "\n",
        "[",
        "[]\n",
        "[  ] 0003 0035 00000001\n",
        "[ 99999999999999999999.000000] 0003 0035 00000001\n",
        "[ 1.0] 0003 0035 00000001\n",
        "/dev/input/event2 0003 0035 00000001\n",
        PATH "0003 0035 1\n",
        PATH "0003 0035 00000001 5\n",
        PATH "0003 35 00000001\n",
        PATH "EV_ABS ABS_MT_POSITION_Q 00000001\n",
        PATH "EV_WHAT ABS_X 00000001\n",
        PATH "0003 002f 7fffffff\n" PATH "0003 0035 00000001\n",
    };
    struct listener listener;
    char flood[1000];

    (void)state;
    begin(&listener);
    memset(flood, '0', sizeof(flood));
    for (int i = 0; i < 5; i++)
        getevent_reader_feed(&listener.reader, flood, sizeof(flood), 0);
    feed(&listener, "\n", 0);
    getevent_reader_feed(&listener.reader, "\0\0\n", 3, 0);
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        feed(&listener, lines[i], 0);
    feed(&listener, SYNC, 3);
    expect(&listener, "");
    feed(&listener, DOWN("00000000", "00000007", "00000010", "00000020") SYNC,
         5);
    expect(&listener, "5 down 0 16 32\n");
}

static void more_devices_than_there_is_room_for_are_ignored(void **state)
{
    const struct touch_display display = {.size = {1000, 2000}};
    struct listener listener;
    char line[128];

    (void)state;
    begin_with(&listener, &display, 0);
    for (int i = 0; i < 2 * GETEVENT_SOURCES_MAX; i++) {
        snprintf(line, sizeof(line), "/dev/input/x%d: 0000 0000 00000000\n", i);
        feed(&listener, line, 0);
    }
    feed(&listener, "/dev/input/x0: 0003 0039 00000001\n", 0);
    feed(&listener, "/dev/input/x0: 0000 0000 00000000\n", 4);
    feed(&listener, "/dev/input/x50: 0003 0039 00000001\n", 0);
    feed(&listener, "/dev/input/x50: 0000 0000 00000000\n", 4);
    expect(&listener, "4 down 0 0 0\n");
}

/* A picture of 1000 x 1000 in the middle of a panel of 1000 x 2000. */
static void touches_beside_the_picture_are_ignored(void **state)
{
    const struct touch_display display = {.size = {1000, 1000},
                                          .panel = {1000, 2000}};
    struct listener listener;

    (void)state;
    begin_with(&listener, &display, 1);
    feed(&listener, DOWN("00000000", "00000007", "00000010", "00000020") SYNC,
         5);
    feed(&listener, PATH "0003 0036 000003e8\n" SYNC, 6);
    feed(&listener, PATH "0003 0039 ffffffff\n" SYNC, 7);
    expect(&listener, "");
    feed(&listener, DOWN("00000000", "00000008", "00000010", "000003e8") SYNC,
         8);
    expect(&listener, "8 down 0 16 500\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finger_moves_from_report_to_report),
        cmocka_unit_test(a_new_id_in_a_slot_is_another_finger),
        cmocka_unit_test(times_are_those_of_the_phone),
        cmocka_unit_test(keys_of_any_device_are_reported),
        cmocka_unit_test(two_touch_screens_have_different_pointers),
        cmocka_unit_test(lost_events_cancel_all_fingers),
        cmocka_unit_test(the_end_cancels_all_fingers),
        cmocka_unit_test(long_and_strange_lines_are_skipped),
        cmocka_unit_test(more_devices_than_there_is_room_for_are_ignored),
        cmocka_unit_test(touches_beside_the_picture_are_ignored),
    };

    return cmocka_run_group_tests_name("getevent_reader", tests, NULL, NULL);
}
