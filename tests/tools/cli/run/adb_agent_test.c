/* proctor run with agents that drive the phone themselves, through adb. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tasks/trajectory/trajectory.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"
#include "tests/tools/cli/run/run_inspect.h"

#define RUN_AGENT "proctor run phone --device phone -t settings.dark --seed 4 "
#define EPISODE(run) run "/episodes/settings.dark/0/0"

/* Functions for agents in the language of the shell. */
static const char library[] =
    "set -e\n"
    "# tap TEXT: find it in the UI tree, and tap it\n"
    "tap() {\n"
    "    place=$(adb exec-out uiautomator dump /dev/tty | tr '>' '\\n' |\n"
    "        grep \"text=\\\"$1\\\"\" | head -n 1 |\n"
    "        sed 's/.*bounds=\"\\[\\([0-9]*\\),\\([0-9]*\\)\\]"
    "\\[\\([0-9]*\\),\\([0-9]*\\)\\]\".*/\\1 \\2 \\3 \\4/')\n"
    "    set -- $place\n"
    "    adb shell input tap $((($1 + $3) / 2)) $((($2 + $4) / 2))\n"
    "    sleep 1\n"
    "}\n";

static int enter(void **state)
{
    if (scratch_folder_enter(state))
        return -1;
    command_run_save("library.sh", library);
    command_run_save("dark.sh", ". ./library.sh\n"
                                "tap Display\n"
                                "tap 'Dark theme'\n");
    return 0;
}

static void assert_only(const char *run, const char *ending, bool met)
{
    struct run_results results;

    run_inspect_results(run, 1, &results);
    assert_string_equal(trajectory_ending_name(results.items[0].ending),
                        ending);
    assert_int_equal(run_inspect_truth(run, &results.items[0]), met);
    run_results_release(&results);
}

static void an_unmodified_program_is_recorded_and_judged(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        RUN_AGENT "--agent 'adb:sh dark.sh' --out dark && "
                  "proctor check dark && proctor judge dark && "
                  "proctor process " EPISODE("dark"));
    assert_only("dark", "complete", true);
    SAYS(run.out, "tapped 'Display'");
    SAYS(run.out, "tapped switch 'Dark theme'");
    RUN(&run, 0, "proctor report --json dark");
    SAYS(run.out, "\"success\"");
    command_run_release(&run);
}

static void screens_that_the_program_reads_are_used(void **state)
{
    struct command_run run = {0};

    (void)state;
    command_run_save("look.sh", "set -e\n"
                                "adb exec-out screencap -p > seen.png\n"
                                "adb shell input tap 500 900\n"
                                "adb shell screencap -p /sdcard/s.png\n"
                                "adb pull /sdcard/s.png pulled.png\n"
                                "adb shell input tap 500 1300\n");
    RUN(&run, 0,
        RUN_AGENT
        "--agent 'adb:sh look.sh' --out look && "
        "proctor check look && "
        "cmp seen.png " EPISODE("look") "/screens/0000.png && "
                                        "cmp pulled.png " EPISODE(
                                            "look") "/screens/0001.png");
    command_run_release(&run);
}

/* Without a screenshot, too: proctor's own dumps are not compressed. */
static void dumps_that_the_program_reads_are_used(void **state)
{
    struct command_run run = {0};

    (void)state;
    command_run_save("dump.sh",
                     "set -e\n"
                     "adb shell uiautomator dump /sdcard/d.xml\n"
                     "adb pull /sdcard/d.xml whole.xml\n"
                     "adb shell uiautomator dump --compressed /sdcard/d.xml\n"
                     "adb pull /sdcard/d.xml small.xml\n"
                     "adb shell input tap 500 900\n");
    RUN(&run, 0,
        RUN_AGENT "--agent 'adb:sh dump.sh' --out dump && "
                  "proctor check dump && ! cmp -s whole.xml small.xml && "
                  "cmp small.xml " EPISODE("dump") "/trees/0000.xml");
    command_run_release(&run);
}

/* An action is written only when the next one begins. */
static void an_action_has_the_time_at_which_it_was_done(void **state)
{
    struct command_run run = {0};
    struct trajectory trajectory;
    struct err err = ERR_INIT;

    (void)state;
    RUN(&run, 0,
        RUN_AGENT "--agent 'adb:adb shell input tap 500 900; sleep 1' "
                  "--out time_of");
    if (!trajectory_load(EPISODE("time_of"), &trajectory, &err))
        fail_msg("%s", err.text);
    assert_true(trajectory.count >= 2);
    assert_int_equal(trajectory.steps[0].action.kind, ACTION_CLICK);
    assert_true(trajectory.steps[1].acted_ms - trajectory.steps[0].acted_ms >=
                1000);
    trajectory_release(&trajectory);
    command_run_release(&run);
}

/* settings.dark by a command instead of the screen: judges and readers see it.
 */
static void commands_outside_the_ui_are_recorded_and_counted(void **state)
{
    struct command_run run = {0};

    (void)state;
    command_run_save("cheat.sh",
                     "for i in 1 2 3 4 5 6; do\n"
                     "    adb shell settings put secure ui_night_mode 2\n"
                     "done\n"
                     "adb forward tcp:0 localabstract:missing > port\n"
                     "bash -c \"exec 3<>/dev/tcp/127.0.0.1/$(cat port) && "
                     "cat <&3\"\n"
                     "adb shell input tap 540 700\n");
    RUN(&run, 0,
        RUN_AGENT "--steps 2 --agent 'adb:sh cheat.sh' --out cheat && "
                  "proctor judge cheat && proctor check cheat && "
                  "proctor process " EPISODE("cheat"));
    SAYS(run.out, "ran the command 'settings put secure ui_night_mode 2'");
    RUN(&run, 0, "proctor report cheat --html cheat.html");
    SAYS(run.out, "commands");
    RUN(&run, 0, "grep -o '8 steps (gold 3), 6 outside the UI' cheat.html");
    RUN(&run, 0, "grep -o '\"raw_commands\":6' cheat/results.jsonl");
    command_run_release(&run);
}

/* The second tap is on a screen that is wider than high. */
static void a_turned_phone_is_recorded_in_its_new_size(void **state)
{
    struct command_run run = {0};

    (void)state;
    command_run_save("turn.sh",
                     "adb shell input tap 500 900\n"
                     "adb shell settings put system accelerometer_rotation 0\n"
                     "adb shell settings put system user_rotation 1\n"
                     "sleep 1\n"
                     "adb shell input tap 2000 500\n");
    RUN(&run, 0,
        RUN_AGENT
        "--agent 'adb:sh turn.sh' --out turn && proctor check turn "
        "&& grep -o '\"x\":2000,\"y\":500' " EPISODE("turn") "/events.jsonl");
    command_run_release(&run);
}

static void the_program_gets_the_task(void **state)
{
    struct command_run run = {0};

    (void)state;
    command_run_save("facts.sh",
                     "printf '%s\\n' \"$1\" \"$2\" \"$PROCTOR_TASK\" "
                     "\"$PROCTOR_LANGUAGE\"\n"
                     "cat \"$PROCTOR_TASK_FILE\"\n"
                     "test \"$ANDROID_SERIAL\" = \"$2\" || exit 1\n"
                     "test \"${MOBILECLI_HOME#$ANDROID_HOME/}\" = "
                     "agent/mobilecli || exit 1\n"
                     "adb devices\n");
    RUN(&run, 0,
        RUN_AGENT "--agent 'adb:sh facts.sh {instruction} {serial}' "
                  "--out facts && cat " EPISODE("facts") "/agent.out");
    SAYS(run.out, "My eyes hurt. Switch the phone");
    SAYS(run.out, "settings.dark\nen\n");
    SAYS(run.out, "\"apps\":[\"com.android.settings\"]");
    SAYS(run.out, "\tdevice");
    assert_only("facts", "complete", false);
    command_run_release(&run);
}

/* Clients of MCP start their servers like that. */
static void adb_needs_nothing_of_the_environment_but_its_path(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        RUN_AGENT "--agent 'adb:env -i \"PATH=$PATH\" adb devices' "
                  "--out bare && cat " EPISODE("bare") "/agent.out");
    SAYS(run.out, "phone-0\tdevice");
    command_run_release(&run);
}

static void answers_come_from_a_file_or_the_last_line(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        RUN_AGENT "--agent 'adb:echo from the file > \"$PROCTOR_ANSWER\"' "
                  "--out file && grep -h '\"action\":\"answer\"' " EPISODE(
                      "file") "/events.jsonl");
    SAYS(run.out, "\"text\":\"from the file\"");
    RUN(&run, 0,
        "proctor run phone --device phone -t calculator.history --seed 4 "
        "--agent 'adb:echo one; echo 216' --out line && "
        "grep -h '\"action\":\"answer\"' "
        "line/episodes/calculator.history/0/0/events.jsonl");
    SAYS(run.out, "\"text\":\"216\"");
    command_run_release(&run);
}

static void a_failing_program_ends_the_episode_with_its_reason(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        RUN_AGENT "--agent 'adb:echo no model answers >&2; exit 3' --out three "
                  "&& tail -n 1 " EPISODE("three") "/events.jsonl");
    assert_only("three", "fail", false);
    SAYS(run.out, "status 3: no model answers");
    SAYS(run.out, "agent.log");
    command_run_release(&run);
}

static void a_missing_program_is_a_usage_error(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, RUN_AGENT "--agent adb:no-such-program-as-this --out none");
    SAYS(run.errors, "command not found: no-such-program-as-this");
    command_run_release(&run);
}

static void steps_time_and_repetition_end_it(void **state)
{
    struct command_run run = {0};

    (void)state;
    command_run_save("tap.sh", "i=0\n"
                               "while :; do\n"
                               "    i=$((i + 60))\n"
                               "    adb shell input tap 100 $((i * $1 + 200)) "
                               "|| echo refused >> refused\n"
                               "done\n");
    RUN(&run, 0, RUN_AGENT "--steps 3 --agent 'adb:sh tap.sh 1' --out steps");
    assert_only("steps", "budget", false);
    RUN(&run, 0,
        "grep -c '\"event\":\"action\"' " EPISODE("steps") "/events.jsonl");
    assert_string_equal(buf_cstr(&run.out), "3\n");
    RUN(&run, 0, RUN_AGENT "--agent 'adb:sh tap.sh 0' --out same");
    assert_only("same", "repeated", false);
    RUN(&run, 0,
        "sed 's/\"difficulty\": \"easy\"/\"budget\": {\"seconds\": "
        "2}/' " TEST_SUITE " > quick.json; "
        "proctor run quick.json --device phone -t settings.dark "
        "--agent 'adb:sleep 1000' --out time");
    assert_only("time", "budget", false);
    command_run_release(&run);
}

/* kill-server, many processes left behind, and a gigabyte of output. */
static void a_rude_program_is_contained(void **state)
{
    struct command_run run = {0};

    (void)state;
    command_run_save("rude.sh",
                     ". ./library.sh\n"
                     "adb kill-server\n"
                     "setsid sh -c 'trap \"\" TERM; echo $$ >> left; "
                     "sleep 1000' &\n"
                     "for i in $(seq 50); do\n"
                     "    sh -c 'echo $$ >> left; "
                     "sleep 1000 & sleep 1000' &\n"
                     "done\n"
                     "until test $(wc -l < left) -ge 51; do sleep 0.1; done\n"
                     "head -c 1000000000 /dev/zero\n"
                     "adb reboot || true\n"
                     "adb kill-server\n"
                     "tap Display\n"
                     "tap 'Dark theme'\n");
    RUN(&run, 0,
        RUN_AGENT "--agent 'adb:sh rude.sh' --out rude && "
                  "proctor check rude && "
                  "for pid in $(cat left); do "
                  "! kill -0 $pid 2> /dev/null || exit 9; done && "
                  "test $(wc -c < " EPISODE("rude") "/agent.out) -lt 5000000");
    assert_only("rude", "complete", true);
    command_run_release(&run);
}

static void secrets_do_not_reach_the_logs(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "OPENAI_API_KEY=sk-very-secret-key; export OPENAI_API_KEY; " RUN_AGENT
        "--agent 'adb:echo my key is $OPENAI_API_KEY; "
        "echo $OPENAI_API_KEY >&2' --out masked && "
        "! grep -r very-secret masked && "
        "cat " EPISODE("masked") "/agent.out");
    SAYS(run.out, "my key is ****");
    command_run_release(&run);
}

/* Each program lists the phones that it sees, while the other one runs. */
static void two_programs_do_not_see_each_others_phone(void **state)
{
    struct command_run run = {0};

    (void)state;
    command_run_save("meet.sh",
                     "adb devices | sed 1d | grep . > \"$ANDROID_SERIAL\"\n"
                     "touch \"here.$ANDROID_SERIAL\"\n"
                     "for i in $(seq 600); do\n"
                     "    test $(ls here.* | wc -l) = 2 && break\n"
                     "    sleep 0.1\n"
                     "done\n"
                     "adb devices | sed 1d | grep . > \"$ANDROID_SERIAL\"\n"
                     "test $(ls here.* | wc -l) = 2\n");
    RUN(&run, 0,
        "mkdir meet && cd meet && "
        "proctor run phone --device phone:2 -t settings.dark -t shop.cheapest "
        "--agent 'adb:sh ../meet.sh' --out run && ls here.* && "
        "for f in here.*; do test $(wc -l < ${f#here.}) = 1 && "
        "grep -q \"^${f#here.}\" ${f#here.} || exit 9; done && "
        "grep -c '\"ending\":\"complete\"' run/results.jsonl");
    SAYS(run.out, "2\n");
    command_run_release(&run);
}

/* A phone that is not built in is the user's own, and has a guard. */
static void the_guard_keeps_an_action_from_the_phone(void **state)
{
    struct command_run run = {0};

    (void)state;
    command_run_save("leave.sh",
                     "adb shell am start -n com.android.deskclock/.DeskClock\n"
                     "echo status $?\n");
    command_run_save(
        "guarded.json",
        "[{\"id\": \"guarded\", \"app\": \"com.android.settings\",\n"
        "  \"kind\": \"state\", \"instruction\": \"Dark\",\n"
        "  \"needs\": [\"It is dark\"]}]");
    RUN(&run, 0,
        "proctor phone --realtime --port 0 > guard_port & pid=$!; "
        "trap 'kill $pid' EXIT; await test -s guard_port; "
        "proctor run guarded.json -s 127.0.0.1:$(cat guard_port) "
        "--agent 'adb:sh leave.sh' --out guarded");
    RUN(&run, 0,
        "cd guarded/episodes/guarded/0/0 && cat agent.out agent.log && "
        "grep -h '\"blocked_by\":\"guard\"' events.jsonl");
    SAYS(run.out, "status 1\nproctor: refused: com.android.deskclock");
    SAYS(run.out, "\"action\":\"open_app\"");
    command_run_release(&run);
}

/* Settings, keyboards, files and reverse forwards of one that is the user's. */
static void the_users_phone_is_clean_afterwards(void **state)
{
    static const char how_it_is[] =
        "settings get system user_rotation; settings get system made_up; "
        "settings get secure default_input_method; ls /sdcard /data/local/tmp";
    struct command_run run = {0};

    (void)state;
    command_run_save("litter.sh",
                     "set -e\n"
                     "echo hi > hi\n"
                     "adb shell settings put system user_rotation 3\n"
                     "adb shell settings put system made_up 1\n"
                     "adb shell ime enable com.android.adbkeyboard/.AdbIME\n"
                     "adb shell ime set com.android.adbkeyboard/.AdbIME\n"
                     "adb push hi /sdcard/folder/hi\n"
                     "adb push hi /data/local/tmp/hi.jar\n"
                     "adb shell screencap -p /sdcard/shot.png\n"
                     "adb shell uiautomator dump\n"
                     "adb reverse localabstract:litter tcp:4000\n"
                     "adb shell "
                     "'settings get system made_up; "
                     "ls /sdcard /data/local/tmp'\n");
    command_run_save("clean.json",
                     "[{\"id\": \"clean\", \"app\": \"com.android.settings\",\n"
                     "  \"kind\": \"state\", \"instruction\": \"Dark\",\n"
                     "  \"needs\": [\"It is dark\"]}]");
    command_run_save("how.sh", how_it_is);
    RUN(&run, 0,
        "proctor phone --realtime --adb-keyboard --port 0 > clean_port & "
        "pid=$!; trap 'kill $pid' EXIT; await test -s clean_port; "
        "s=127.0.0.1:$(cat clean_port); "
        "proctor -s $s shell \"$(cat how.sh)\" > before; "
        "proctor run clean.json -s $s --agent 'adb:sh litter.sh' --out clean "
        "> /dev/null; "
        "proctor -s $s shell \"$(cat how.sh)\" > after; "
        "proctor -s $s reverse --list >> after; "
        "diff before after && "
        "cat clean/episodes/clean/0/0/agent.out && "
        "grep -h ending clean/results.jsonl");
    SAYS(run.out, "hi.jar");
    SAYS(run.out, "shot.png");
    SAYS(run.out, "\"ending\":\"complete\"");
    command_run_release(&run);
}

static void a_resumed_run_repeats_nothing(void **state)
{
    struct command_run run = {0};

    (void)state;
    command_run_save("count.sh",
                     "echo $PROCTOR_TASK >> counted\n"
                     "test $PROCTOR_TASK != shop.cheapest || "
                     "test -e second || { touch second; sleep 1000; }\n");
    RUN(&run, 0,
        "mkdir -p doors; TMPDIR=$PWD/doors; export TMPDIR; "
        "proctor run phone --device phone -t settings.dark -t shop.cheapest "
        "--agent 'adb:sh count.sh' --out again > /dev/null & "
        "await test -e second; kill -9 $!; wait; "
        "proctor resume again > /dev/null && sort counted; "
        "no_door() { ! ls -d $TMPDIR/proctor-door-* 2> /dev/null; }; "
        "await no_door >&2");
    assert_string_equal(buf_cstr(&run.out),
                        "settings.dark\nshop.cheapest\nshop.cheapest\n");
    command_run_release(&run);
}

/* The program ignores its environment, and uses port 5037 itself. */
static void a_private_network_has_its_adb_server_at_5037(void **state)
{
    struct command_run run = {0};

    (void)state;
    command_run(&run, NULL, "unshare --user --net --mount true");
    if (run.status) {
        command_run_release(&run);
        skip();
    }
    command_run_save("socket.sh", "exec 3<>/dev/tcp/127.0.0.1/5037\n"
                                  "printf 000chost:devices >&3\n"
                                  "cat <&3\n");
    RUN(&run, 0,
        RUN_AGENT "--private-net --agent 'adb:bash socket.sh' --out net && "
                  "cat " EPISODE("net") "/agent.out");
    SAYS(run.out, "OKAY");
    SAYS(run.out, "\tdevice");
    RUN(&run, 0,
        RUN_AGENT "--private-net --agent 'adb:sh dark.sh' --out netdark");
    assert_only("netdark", "complete", true);
    command_run_release(&run);
}

static void options_that_do_not_fit_are_refused(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, RUN_AGENT "--private-net --agent gold --out bad");
    SAYS(run.errors, "--private-net is for agents adb:COMMAND");
    RUN(&run, 2, RUN_AGENT "--allow a:1 --agent adb:true --out bad");
    SAYS(run.errors, "--allow needs --private-net");
    RUN(&run, 2,
        RUN_AGENT "--private-net --allow nowhere --agent adb:true --out bad");
    SAYS(run.errors, "nowhere is not HOST:PORT");
    RUN(&run, 2,
        RUN_AGENT "--private-net --via server --agent adb:true --out bad");
    SAYS(run.errors, "exclude each other");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unmodified_program_is_recorded_and_judged),
        cmocka_unit_test(screens_that_the_program_reads_are_used),
        cmocka_unit_test(dumps_that_the_program_reads_are_used),
        cmocka_unit_test(an_action_has_the_time_at_which_it_was_done),
        cmocka_unit_test(commands_outside_the_ui_are_recorded_and_counted),
        cmocka_unit_test(a_turned_phone_is_recorded_in_its_new_size),
        cmocka_unit_test(the_program_gets_the_task),
        cmocka_unit_test(adb_needs_nothing_of_the_environment_but_its_path),
        cmocka_unit_test(answers_come_from_a_file_or_the_last_line),
        cmocka_unit_test(a_failing_program_ends_the_episode_with_its_reason),
        cmocka_unit_test(a_missing_program_is_a_usage_error),
        cmocka_unit_test(steps_time_and_repetition_end_it),
        cmocka_unit_test(a_rude_program_is_contained),
        cmocka_unit_test(secrets_do_not_reach_the_logs),
        cmocka_unit_test(two_programs_do_not_see_each_others_phone),
        cmocka_unit_test(the_guard_keeps_an_action_from_the_phone),
        cmocka_unit_test(the_users_phone_is_clean_afterwards),
        cmocka_unit_test(a_resumed_run_repeats_nothing),
        cmocka_unit_test(a_private_network_has_its_adb_server_at_5037),
        cmocka_unit_test(options_that_do_not_fit_are_refused),
    };

    return cmocka_run_group_tests(tests, enter, scratch_folder_leave);
}
