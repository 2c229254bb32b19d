/* Touches on a built-in phone whose time is virtual. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tools/live/live_control.h"
#include "tools/phone/phone.h"

#define HOLD_MS 5000

static long phone_seconds(struct phone *phone)
{
    struct buf out = BUF_INIT(100);
    struct buf errors = BUF_INIT(100);
    long seconds;

    assert_int_equal(phone_run(phone, "date +%s", &out, &errors), 0);
    seconds = strtol(buf_cstr(&out), NULL, 10);
    buf_release(&out);
    buf_release(&errors);
    return seconds;
}

static void touch(struct live_control *control, enum view_touch what, int y,
                  int ms)
{
    const struct view_command command = {.kind = VIEW_TOUCH,
                                         .width = 1080,
                                         .height = 2400,
                                         .touch = what,
                                         .x = 540,
                                         .y = y,
                                         .ms = ms};
    struct view_answer answer = {.done = false, .bytes = BUF_INIT(0)};

    live_control_run(control, &command, &answer);
    assert_true(answer.done);
}

static void a_gesture_lets_virtual_time_pass(void **state)
{
    struct phone *phone;
    struct live_control *control;
    struct err err;
    long before;

    (void)state;
    if (!phone_start(&(struct phone_options){.unreachable = true}, &phone,
                     &err))
        fail_msg("%s", err.text);
    assert_false(phone_is_realtime(phone));
    control = control_builtin_open(phone);
    before = phone_seconds(phone);
    touch(control, VIEW_DOWN, 2000, 100);
    touch(control, VIEW_MOVE, 1500, 200);
    assert_int_equal(phone_seconds(phone), before);
    touch(control, VIEW_UP, 1000, 100 + HOLD_MS);
    assert_true(phone_seconds(phone) >= before + HOLD_MS / 1000);
    control->ops->close(control);
    phone_stop(phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gesture_lets_virtual_time_pass),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
