/*
 * proctor record --on-phone: another connection touches a phone, as a person
 * does, and the terminal follows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/recording/recording.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

/* A phone, and a recorder that reads what is typed from a pipe. */
#define BEGIN                                                                  \
    "rm -f port typed; : > seen; mkfifo typed; "                               \
    "proctor phone --realtime --port 0 > port & phone=$!; "                    \
    "trap 'kill $phone' EXIT; await test -s port; "                            \
    "at=127.0.0.1:$(cat port); "                                               \
    "touch_phone() { proctor shell -s $at \"$@\"; }; "                         \
    "said() { await grep -q \"$1\" seen; }; "                                  \
    "more_ready() { test $(grep -c ready: seen) -gt $1; }; "                   \
    "press() { count=$(grep -c ready: seen); touch_phone input keyevent $1; "  \
    "await more_ready $count; }; "
#define RECORD(name)                                                           \
    "proctor record " name " --on-phone -s $at < typed > folder 2> seen & "    \
    "recorder=$!; exec 9> typed; said 'ready: step 0'; "
#define END "echo finish >&9; wait $recorder || cat seen >&2; cat seen; "

/* clang-format off */
#define TOUCHES                                                                \
    "touch_phone input tap 540 2220; said 'ready: step 1'; "                   \
    "for key in A SPACE B; do press $key; done; "                              \
    "touch_phone input swipe 500 1000 500 1000 900; said 'ready: step 3'; "    \
    "echo s 0 >&9; said '0 [*]'; echo u >&9; said 'step 2 is only struck'; "   \
    "touch_phone input swipe 500 1000 500 400 400; said 'ready: step 4'; "
/* clang-format on */

static void load(const char *folder, struct recording *recording)
{
    struct err err = ERR_INIT;

    if (!recording_check(folder, &err) ||
        !recording_load(folder, recording, &err))
        fail_msg("%s", err.text);
}

static const struct action *action_at(const struct recording *recording,
                                      size_t step)
{
    assert_true(step < recording->count);
    return &recording->steps[step].step->action;
}

static void touches_and_keys_are_recorded(void **state)
{
    struct command_run run = {0};
    struct recording recording;

    (void)state;
    RUN(&run, 0, BEGIN RECORD("touched") TOUCHES END);
    load("recordings/touched", &recording);
    assert_int_equal(recording.count, 5);
    assert_int_equal(action_at(&recording, 0)->kind, ACTION_CLICK);
    assert_in_range(action_at(&recording, 0)->from.x, 539, 541);
    assert_in_range(action_at(&recording, 0)->from.y, 2219, 2221);
    assert_true(recording.steps[0].starred);
    assert_int_equal(action_at(&recording, 1)->kind, ACTION_TYPE);
    assert_string_equal(action_at(&recording, 1)->text, "a b");
    assert_int_equal(action_at(&recording, 2)->kind, ACTION_LONG_PRESS);
    assert_true(recording.steps[2].undone);
    assert_int_equal(action_at(&recording, 3)->kind, ACTION_SWIPE);
    assert_in_range(action_at(&recording, 3)->to.y, 398, 402);
    recording_release(&recording);
    RUN(&run, 0, "proctor check recordings");
    command_run_release(&run);
}

static void phones_without_a_touch_screen_are_refused(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1, "proctor record none --on-phone -s phone");
    SAYS(run.errors, "this phone has no screen to touch");
    RUN(&run, 1,
        "rm -f port; proctor phone --port 0 > port & phone=$!; "
        "trap 'kill $phone' EXIT; await test -s port; "
        "proctor record none --on-phone -s 127.0.0.1:$(cat port)");
    SAYS(run.errors, "the time of this phone stands still");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touches_and_keys_are_recorded),
        cmocka_unit_test(phones_without_a_touch_screen_are_refused),
    };

    return cmocka_run_group_tests_name(
        "record_on_phone", tests, scratch_folder_enter, scratch_folder_leave);
}
