/*
 * proctor run with an agent that uses Debian's adb and the user's own adb
 * server, to which a door is connected.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"
#include "tests/tools/cli/run/run_inspect.h"

static int use_server(void **state)
{
    return setenv("ANDROID_ADB_SERVER_PORT", getenv("PROCTOR_PEER_SERVER_PORT"),
                  1) ||
           scratch_folder_enter(state);
}

static void a_door_is_one_more_phone_of_the_server(void **state)
{
    struct command_run run = {0};

    (void)state;
    command_run_save("agent.sh",
                     "set -e\n"
                     "/usr/bin/adb devices | tee seen\n"
                     "grep -q \"^$1\" seen\n"
                     "/usr/bin/adb -s $1 shell input tap 540 900\n"
                     "/usr/bin/adb -s $1 exec-out screencap -p > screen.png\n"
                     "/usr/bin/adb -s $1 root\n"
                     "/usr/bin/adb -s $1 shell input keyevent 4\n");
    RUN(&run, 0,
        "proctor run phone --device phone -t settings.dark --via server "
        "--agent 'adb:sh agent.sh {serial}' --out run && proctor check run && "
        "grep -c '\"event\":\"action\"' "
        "run/episodes/settings.dark/0/0/events.jsonl");
    SAYS(run.out, "3\n"); /* tap, back, complete */
    RUN(&run, 0,
        "cmp screen.png run/episodes/settings.dark/0/0/screens/0001.png");
    /* Afterwards the server has its other phone, and no longer this one. */
    RUN(&run, 0, "adb devices");
    SAYS(run.out, getenv("PROCTOR_PEER_ADBD"));
    RUN(&run, 1,
        "adb devices | grep -F \"$(sed -n 's/^\\(127[^\\t]*\\).*/\\1/p' "
        "seen | grep -v -F \"$PROCTOR_PEER_ADBD\")\"");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_door_is_one_more_phone_of_the_server),
    };

    return cmocka_run_group_tests(tests, use_server, scratch_folder_leave);
}
