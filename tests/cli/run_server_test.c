/* proctor run through Debian's adb server. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/cli/command_run.h"
#include "tests/cli/run_look.h"
#include "tests/support/scratch.h"

static int use_server(void **state)
{
    return setenv("ANDROID_ADB_SERVER_PORT", getenv("PROCTOR_PEER_SERVER_PORT"),
                  1) ||
           scratch_enter(state);
}

static void run_with(const char *agent, const char *name, const char *more,
                     bool met)
{
    bool full = getenv("PROCTOR_FULL") != NULL;
    struct command_run run = {0};
    char script[512];

    snprintf(script, sizeof(script),
             "proctor run phone --agent %s --device phone:2 --via server "
             "--out %s %s %s && proctor check %s",
             agent, name, full ? "" : "-t settings.dark -t shop.cheapest", more,
             name);
    RUN(&run, 0, script);
    if (strstr(more, "--faults"))
        run_look_none_lost(name, full ? 20 : 2);
    else
        run_look_all(name, full ? 20 : 2, met);
    command_run_release(&run);
}

static void outcomes_are_the_truth(void **state)
{
    (void)state;
    run_with("gold", "gold", "", true);
    run_with("nothing", "nothing", "", false);
    run_with("random:3", "random", "--steps 3", false);
}

static void nothing_is_lost_when_connections_drop(void **state)
{
    (void)state;
    run_with("gold", "faults",
             "--faults 'drop:chance=0.1;dump:how=null-root,chance=0.2'", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_the_truth),
        cmocka_unit_test(nothing_is_lost_when_connections_drop),
    };

    return cmocka_run_group_tests(tests, use_server, scratch_leave);
}
