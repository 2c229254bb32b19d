/* tree, tap, type, key and swipe on a phone, with their descriptions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"
#include "tools/phone/phone.h"

static struct phone *phone;

static int start(void **state)
{
    const struct phone_options options = {.seed = 0};
    char address[32];
    struct err err;

    if (scratch_folder_enter(state) || !phone_start(&options, &phone, &err))
        return -1;
    snprintf(address, sizeof(address), "127.0.0.1:%u", phone_port(phone));
    setenv("HOME", scratch_folder_path(), 1);
    return setenv("ANDROID_SERIAL", address, 1);
}

static int stop(void **state)
{
    phone_stop(phone);
    return scratch_folder_leave(state);
}

static void elements_are_used_by_name(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor tree");
    SAYS(run.out, "TextView 'Settings'");
    RUN(&run, 0, "proctor tap settings");
    SAYS(run.out, "tapped 'Settings'; on the home screen; settings opened");
    RUN(&run, 0, "proctor tap Displ");
    SAYS(run.out, "the screen 'Display' opened");
    RUN(&run, 0, "proctor tap Dark theme");
    SAYS(run.out, "tapped switch 'Dark theme', now on");
    RUN(&run, 0, "proctor tree --xml | proctor tree -");
    SAYS(run.out, "'Dark theme'");
    RUN(&run, 0, "proctor swipe down");
    SAYS(run.out, "swiped down");
    RUN(&run, 0, "proctor key home");
    SAYS(run.out, "pressed Home");
    RUN(&run, 0, "proctor tap Shop && proctor tap Search");
    RUN(&run, 0, "proctor type --enter noise cancelling");
    SAYS(run.out, "typed 'noise cancelling' into 'Search products' and "
                  "pressed Enter");
    RUN(&run, 0, "proctor key back --json");
    SAYS(run.out, "{\"action\":\"back\",\"description\":\"pressed Back;");
    command_run_release(&run);
}

static void points_and_kinds_of_touch_are_accepted(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor key home && proctor tap --json --hold 170 500");
    SAYS(run.out, "\"action\":\"long_press\",\"x\":170,\"y\":500");
    RUN(&run, 0, "proctor swipe 540 1800 540 900 --json");
    SAYS(run.out, "\"x2\":540,\"y2\":900");
    command_run_release(&run);
}

static void impossible_actions_are_reported(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "proctor key home && proctor tap Setings");
    SAYS(run.errors, "did you mean \"Settings\"?");
    RUN(&run, 2, "proctor tap 5000 1");
    SAYS(run.errors, "5000,1 is not on the screen of 1080x2400");
    RUN(&run, 2, "proctor swipe sideways");
    SAYS(run.errors, "up, down, left or right");
    RUN(&run, 2, "proctor key volume_up");
    SAYS(run.errors, "back, home, recents, enter");
    RUN(&run, 2, "proctor tap --hold --twice Shop");
    SAYS(run.errors, "choose one");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_used_by_name),
        cmocka_unit_test(points_and_kinds_of_touch_are_accepted),
        cmocka_unit_test(impossible_actions_are_reported),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
