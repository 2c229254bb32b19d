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

#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"
#include "tests/tools/cli/run/run_inspect.h"

#define SCRIPT_MAX 512

static int use_server(void **state)
{
    return setenv("ANDROID_ADB_SERVER_PORT", getenv("PROCTOR_PEER_SERVER_PORT"),
                  1) ||
           scratch_folder_enter(state);
}

/* With PROCTOR_FULL all tasks, otherwise two. */
static size_t task_count(void)
{
    return getenv("PROCTOR_FULL") ? 20 : 2;
}

/* The command that runs them with that agent. */
static const char *run_script(const char *agent, const char *name,
                              const char *more, char script[SCRIPT_MAX])
{
    snprintf(script, SCRIPT_MAX,
             "proctor run phone --agent %s --device phone:2 --via server "
             "--out %s %s %s",
             agent, name,
             getenv("PROCTOR_FULL") ? "" : "-t settings.dark -t shop.cheapest",
             more);
    return script;
}

static void run_with(const char *agent, const char *name, const char *more,
                     bool met)
{
    struct command_run run = {0};
    char script[SCRIPT_MAX];

    RUN(&run, 0, run_script(agent, name, more, script));
    snprintf(script, sizeof(script), "proctor check %s", name);
    RUN(&run, 0, script);
    run_inspect_all(name, task_count(), met);
    command_run_release(&run);
}

static void outcomes_agree_with_the_truth(void **state)
{
    (void)state;
    run_with("gold", "gold", "", true);
    run_with("nothing", "nothing", "", false);
    run_with("random:3", "random", "--steps 3", false);
}

static void nothing_is_lost_when_connections_drop(void **state)
{
    char script[SCRIPT_MAX];

    (void)state;
    run_script("gold", "faults",
               "--faults 'drop:chance=0.1;dump:how=null-root,chance=0.2'",
               script);
    run_inspect_none_lost(script, "faults", task_count());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_agree_with_the_truth),
        cmocka_unit_test(nothing_is_lost_when_connections_drop),
    };

    return cmocka_run_group_tests(tests, use_server, scratch_folder_leave);
}
