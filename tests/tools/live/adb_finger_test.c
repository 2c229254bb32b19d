#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tools/live/adb_finger.h"

#define ANDROID_10 29
#define ANDROID_14 34

/* What a finger is sent as: touches, and the commands of all of them. */
struct finger_case {
    int sdk;
    struct view_command touches[5];
    size_t count;
    const char *commands;
};

static void assert_commands(const struct finger_case *test)
{
    struct adb_finger finger;
    struct buf command = BUF_INIT(4096);

    adb_finger_init(&finger, test->sdk);
    for (size_t i = 0; i < test->count; i++) {
        struct buf one = BUF_INIT(1024);

        adb_finger_touch(&finger, &test->touches[i], &one);
        if (one.length && command.length)
            buf_text(&command, " | ");
        buf_append(&command, one.data, one.length);
        buf_release(&one);
    }
    assert_string_equal(buf_cstr(&command), test->commands);
    buf_release(&command);
}

static struct view_command at(enum view_touch touch, int x, int y, int ms)
{
    return (struct view_command){
        .kind = VIEW_TOUCH, .touch = touch, .x = x, .y = y, .ms = ms};
}

static void short_touch_is_a_tap(void **state)
{
    (void)state;
    assert_commands(&(struct finger_case){ANDROID_14,
                                          {at(VIEW_DOWN, 100, 200, 5000),
                                           at(VIEW_MOVE, 103, 200, 5050),
                                           at(VIEW_UP, 103, 201, 5090)},
                                          3,
                                          "input tap 100 200"});
}

static void long_touch_takes_as_long(void **state)
{
    (void)state;
    assert_commands(&(struct finger_case){
        ANDROID_14,
        {at(VIEW_DOWN, 100, 200, 5000), at(VIEW_UP, 100, 200, 5800)},
        2,
        "input swipe 100 200 100 200 800"});
}

static void quick_drag_is_a_swipe_of_its_duration(void **state)
{
    (void)state;
    assert_commands(&(struct finger_case){ANDROID_14,
                                          {at(VIEW_DOWN, 100, 900, 0),
                                           at(VIEW_MOVE, 100, 500, 90),
                                           at(VIEW_UP, 100, 300, 130)},
                                          3,
                                          "input swipe 100 900 100 300 130"});
}

static void slow_drag_is_shown_while_it_moves(void **state)
{
    struct finger_case test = {
        ANDROID_14,
        {at(VIEW_DOWN, 100, 900, 0), at(VIEW_MOVE, 100, 500, 900),
         at(VIEW_MOVE, 100, 400, 1000), at(VIEW_UP, 100, 300, 1130)},
        4,
        "input motionevent DOWN 100 900; input motionevent MOVE 100 500 | "
        "input motionevent MOVE 100 400 | input motionevent UP 100 300"};

    (void)state;
    assert_commands(&test);
    test.sdk = ANDROID_10;
    test.commands = "input swipe 100 900 100 300 1130";
    assert_commands(&test);
}

static void cancelled_finger_does_nothing(void **state)
{
    (void)state;
    assert_commands(&(struct finger_case){ANDROID_14,
                                          {at(VIEW_DOWN, 100, 900, 0),
                                           at(VIEW_CANCEL, 100, 900, 100),
                                           at(VIEW_UP, 100, 900, 200)},
                                          3,
                                          ""});
    assert_commands(&(struct finger_case){
        ANDROID_14,
        {at(VIEW_DOWN, 100, 900, 0), at(VIEW_MOVE, 100, 500, 900),
         at(VIEW_CANCEL, 100, 500, 1000)},
        3,
        "input motionevent DOWN 100 900; input motionevent MOVE 100 500 | "
        "input motionevent CANCEL 100 500"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_touch_is_a_tap),
        cmocka_unit_test(long_touch_takes_as_long),
        cmocka_unit_test(quick_drag_is_a_swipe_of_its_duration),
        cmocka_unit_test(slow_drag_is_shown_while_it_moves),
        cmocka_unit_test(cancelled_finger_does_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
