/*
 * Whole runs on phones that behave as old and new versions of Android: over a
 * real connection, by the program's own commands.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

static const char suite[] =
    "{\"name\": \"levels\", \"tasks\": ["
    "{\"id\": \"dark\", \"app\": \"com.android.settings\","
    " \"kind\": \"state\","
    " \"instruction\": \"Switch the phone to the dark theme.\","
    " \"set_up\": [\"settings put secure ui_night_mode 1\"],"
    " \"needs\": [{\"say\": \"the dark theme is on\","
    "   \"check\": {\"evidence\": \"night\", \"is\": \"^2$\"}}],"
    " \"probes\": [{\"name\": \"night\","
    "   \"command\": \"settings get secure ui_night_mode\"}],"
    " \"gold\": [{\"do\": \"click\", \"at\": {\"text\": \"Display\"}},"
    "  {\"do\": \"click\", \"at\": {\"text\": \"Dark theme\"}, \"star\": true},"
    "  {\"do\": \"complete\"}]},"
    "{\"id\": \"search\", \"app\": \"com.android.settings\","
    " \"kind\": \"process\","
    " \"instruction\": \"Search the settings for: dark theme\","
    " \"needs\": [{\"say\": \"it was searched for\","
    "   \"check\": {\"typed\": \"^dark theme$\", \"action\": \"type\"}}],"
    " \"gold\": ["
    "  {\"do\": \"click\", \"at\": {\"text\": \"Search settings\"}},"
    "  {\"do\": \"type\", \"text\": \"dark theme\", \"star\": true},"
    "  {\"do\": \"complete\"}]}]}";

/*
 * Start a phone that behaves as $level; its trace is in the file trace. It ends
 * with the script.
 */
#define PHONE                                                                  \
    "rm -f port; PROCTOR_TRACE=conn proctor phone --android $level --port 0"   \
    " > port 2> trace & phone=$!; trap 'kill -KILL $phone' EXIT;"              \
    " await test -s port; read port < port; serial=127.0.0.1:$port;"

/* What a run may change, and has to restore. */
#define SETTINGS                                                               \
    "proctor -s $serial shell"                                                 \
    " 'for s in stay_on_while_plugged_in window_animation_scale"               \
    "   transition_animation_scale animator_duration_scale; do"                \
    "   settings get global $s; done;"                                         \
    "  for s in user_rotation accelerometer_rotation; do"                      \
    "   settings get system $s; done;"                                         \
    "  settings get secure default_input_method'"

static const char whole_run[] =
    PHONE "set -e; " SETTINGS " > before;"
          "proctor run suite.json --agent gold -s $serial --out $level --awake"
          " --no-animations --no-rotation --retries 0; " SETTINGS " > after;"
          "diff before after;"
          "proctor check $level; proctor judge $level;"
          "proctor report $level --html report.html; test -s report.html;"
          "for e in $level/episodes/*/0/0; do"
          " proctor replay $e -s $serial; done";

static void a_whole_run_works_at_each_level(void **state)
{
    static const char *const levels[] = {"4.4", "7", "13", "14"};
    struct command_run run = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
        assert_int_equal(setenv("level", levels[i], 1), 0);
        RUN(&run, 0, whole_run);
        SAYS(run.out, "2 episodes: 2 success");
        SAYS(run.out, "done     2 of 2 steps");
        assert_null(strstr(buf_cstr(&run.errors), "is not restored"));
    }
    command_run_release(&run);
}

/*
 * The phone serves one connection at a time, and a host may wait for long until
 * a second one is answered. In a separate network it is the only phone.
 */
static void a_run_uses_the_connection_that_found_the_phone(void **state)
{
    struct command_run run = {0};

    (void)state;
    assert_int_equal(setenv("level", "4.4", 1), 0);
    command_run(&run, NULL, "unshare --net true && ip link");
    if (run.status != 0) {
        command_run_release(&run);
        skip();
    }
    command_run_save(
        "apart",
        "#!/bin/sh\n"
        "ip link set lo up || exit\n"
        "PROCTOR_TRACE=conn proctor phone --android $level > port 2> trace &\n"
        "phone=$!\n"
        "while kill -0 $phone && ! test -s port; do sleep 0.05; done\n"
        "proctor run suite.json --agent gold --out only -t dark\n"
        "status=$?; kill $phone; exit $status\n");
    RUN(&run, 0, "rm -f port; unshare --net ./apart");
    SAYS(run.out, "emulator-5554");
    RUN(&run, 0, "grep -c ' host: ' trace");
    assert_string_equal(buf_cstr(&run.out), "1\n");
    command_run_release(&run);
}

#define BUDGET_SUITE(budget)                                                   \
    "{\"name\": \"budget\", \"tasks\": [{\"id\": \"long\","                    \
    " \"app\": \"com.android.settings\", \"kind\": \"process\","               \
    " \"instruction\": \"Wait.\","                                             \
    " \"needs\": [{\"say\": \"done\", \"check\": {\"target\": \"x\"}}],"       \
    " \"budget\": {\"steps\": 1000" budget                                     \
    "}, \"gold\": [{\"do\": \"complete\"}]}]}"

/* Stop the phone at its first action, and expect the run to end in time. */
static void stop_phone_and_wait(const char *suite_text, int seconds)
{
    struct command_run run = {0};

    assert_int_equal(setenv("level", "4.4", 1), 0);
    command_run_save("budget.json", suite_text);
    RUN(&run, 5,
        PHONE "rm -rf silent stopped;"
              "( await grep -qrs action silent/episodes/long/0/0/events.jsonl;"
              "  kill -STOP $phone; date +%s > stopped ) 2> /dev/null &"
              "timeout 150 proctor run budget.json --agent random:1"
              " --on-my-phone -s $serial --out silent --awake; status=$?;"
              "echo $(($(date +%s) - $(cat stopped))) > seconds; exit $status");
    SAYS(run.errors, "is not restored yet: the phone is silent");
    RUN(&run, 0, "cat seconds");
    assert_in_range(strtol(buf_cstr(&run.out), NULL, 10), 1, seconds);
    command_run_release(&run);
}

/*
 * The phone stops within the 10 seconds of the task, and the run ends a minute
 * after them at the latest: a call ends 20 s after them, reconnecting takes
 * 10 s, and the phone is looked for until 50 s after its last answer, or once
 * more for 5 s. Takes that long: with PROCTOR_FULL only.
 */
static void a_run_gives_up_on_a_silent_phone_within_a_minute(void **state)
{
    (void)state;
    if (!getenv("PROCTOR_FULL"))
        skip();
    stop_phone_and_wait(BUDGET_SUITE(", \"seconds\": 10"), 75);
}

/* A call ends after 40 s, and all else is as above. */
static void a_silent_phone_is_given_up_without_a_limit_of_time(void **state)
{
    (void)state;
    if (!getenv("PROCTOR_FULL"))
        skip();
    stop_phone_and_wait(BUDGET_SUITE(""), 60);
}

static int start(void **state)
{
    if (scratch_folder_enter(state) ||
        setenv("HOME", scratch_folder_path(), 1) || unsetenv("ANDROID_SERIAL"))
        return -1;
    command_run_save("suite.json", suite);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_run_works_at_each_level),
        cmocka_unit_test(a_run_uses_the_connection_that_found_the_phone),
        cmocka_unit_test(a_run_gives_up_on_a_silent_phone_within_a_minute),
        cmocka_unit_test(a_silent_phone_is_given_up_without_a_limit_of_time),
    };

    return cmocka_run_group_tests(tests, start, scratch_folder_leave);
}
