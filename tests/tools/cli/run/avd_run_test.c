/* Runs on emulators that proctor starts, of a simulated Android SDK. */
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

/*
 * Every script begins with this: an SDK with the AVD "Pixel", which behaves as
 * the words after "avd" say. "started N" and "gone": what its log says.
 */
#define BEGIN                                                                  \
    "export HOME=$PWD ANDROID_HOME=" SDK " ANDROID_AVD_HOME=$PWD/avds;"        \
    "unset PROCTOR_EMULATOR_OPTIONS; export PROCTOR_BOOT_SECONDS=60;"          \
    "avd() { rm -rf avds run go other; mkdir -p avds/Pixel.avd;"               \
    " echo path=x >avds/Pixel.ini; echo \"$*\" >avds/Pixel.avd/fake; };"       \
    "log=avds/Pixel.avd/log;"                                                  \
    "started() { test \"$(cat $log 2>/dev/null | wc -l)\" = $1; };"            \
    "gone() { for p in $(cut -d' ' -f1,2 $log); do"                            \
    "  test ! -d /proc/$p || grep -q '^State:.Z' /proc/$p/status || return 1;" \
    " done; };"                                                                \
    "set -e;"

/* The first task leaves a mark on the phone, and the second looks for it. */
static const char suite[] =
    "{\"name\": \"marks\", \"tasks\": ["
    "{\"id\": \"mark\", \"kind\": \"state\", \"instruction\": {\"en\": \"Leave "
    "a mark.\"},"
    " \"app\": \"com.android.settings\", \"needs\": [\"a mark is left\"],"
    " \"reset\": \"clear\", \"set_up\": [\"settings put system mark left\"]},"
    "{\"id\": \"look\", \"kind\": \"state\", \"instruction\": {\"en\": \"Look "
    "for it.\"},"
    " \"app\": \"com.android.settings\", \"needs\": [\"it was found\"],"
    " \"reset\": \"clear\","
    " \"probes\": [{\"name\": \"mark\","
    "               \"command\": \"settings get system mark\"}]}]}";

/* An agent that completes when the file go is there. */
static const char agent[] = "while read -r line; do\n"
                            "    until test -e \"$GO\"; do sleep 0.05; done\n"
                            "    echo complete\n"
                            "done\n";

/* An agent that lets its emulator crash in the first attempt. */
static const char crashing[] =
    "while read -r line; do\n"
    "    if ! test -e \"$GO\"; then\n"
    "        touch \"$GO\"\n"
    "        kill -SEGV $(tail -n 1 $LOG | cut -d' ' -f1)\n"
    "    fi\n"
    "    echo '{\"action\": \"click\", \"x\": 500, \"y\": 900}'\n"
    "    read -r line && echo complete\n"
    "done\n";

static int enter(void **state)
{
    if (scratch_folder_enter(state))
        return -1;
    command_run_save("marks.json", suite);
    command_run_save("agent.sh", agent);
    command_run_save("crashing.sh", crashing);
    return 0;
}

static void emulators_start_for_a_run_and_end_with_it(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN "avd boot=600; export GO=$PWD/go; touch go;"
              "proctor run marks.json --agent \"exec:sh $PWD/agent.sh\" "
              "--device avd:Pixel:2 -k 2 --out run;"
              "started 2; gone;"
              "test $(wc -l <run/results.jsonl) = 4;"
              "grep -q 'adb=1 .*-avd Pixel .*-read-only' $log;"
              "test $(sort -u -k 7,7 $log | wc -l) = 2;"
              "grep -o '\"serial\":\"emulator-[0-9]*\"' run/run.json | sort -u "
              "| wc -l | grep -qx 2");
    SAYS(run.errors, "2 emulators of AVD Pixel");
    command_run_release(&run);
}

static void each_episode_starts_from_the_quick_boot_snapshot(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN "export GO=$PWD/go;"
              "for how in quickboot none; do avd $how; touch go;"
              "  proctor run marks.json --agent \"exec:sh $PWD/agent.sh\" "
              "  --device avd:Pixel --out run 2>/dev/null >/dev/null;"
              "  grep -h '\"mark\"' run/episodes/look/0/0/events.jsonl | "
              "  grep -o 'left\\|null' | head -n 1;"
              "  started 1; gone;"
              "done");
    assert_string_equal(buf_cstr(&run.out), "null\nleft\n");
    command_run_release(&run);
}

static void crashed_emulator_is_started_again_and_its_episode_repeated(
    void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN "avd quickboot; export GO=$PWD/go LOG=$PWD/$log;"
              "proctor run marks.json -t mark --agent "
              "\"exec:sh $PWD/crashing.sh\" --device avd:Pixel --out run;"
              "started 2; gone;"
              "grep -c '\"void\"' run/results.jsonl | grep -qx 1;"
              "grep -c '\"complete\"' run/results.jsonl | grep -qx 1;"
              "grep '\"void\"' run/results.jsonl");
    SAYS(run.out, "the emulator ended");
    command_run_release(&run);
}

static void killed_program_leaves_no_emulator(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN "for signal in KILL TERM; do avd boot=100; export GO=$PWD/go;"
              "  proctor run marks.json --agent \"exec:sh $PWD/agent.sh\" "
              "  --device avd:Pixel:2 --out run >/dev/null 2>&1 & p=$!;"
              "  await test -d run/episodes/mark/0/0/screens;"
              "  await test -d run/episodes/look/0/0/screens;"
              "  started 2; kill -$signal $p; wait $p || :; await gone;"
              "done");
    command_run_release(&run);
}

static void two_programs_use_different_ports(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN "avd boot=100; export GO=$PWD/go;"
              "proctor run marks.json --agent \"exec:sh $PWD/agent.sh\" "
              "--device avd:Pixel --out run >/dev/null 2>&1 & p=$!;"
              "proctor run marks.json --agent \"exec:sh $PWD/agent.sh\" "
              "--device avd:Pixel --out other >/dev/null 2>&1 & q=$!;"
              "await started 2; test $(sort -u -k 7,7 $log | wc -l) = 2;"
              "touch go; wait $p; wait $q; gone");
    command_run_release(&run);
}

/* A message, and the exit code, for each trouble. */
static void what_is_missing_is_said(void **state)
{
    static const struct {
        const char *script;
        int status;
        const char *says;
    } cases[] = {
        {"avd; ANDROID_HOME=/nowhere; PATH=${PATH%%:*}; proctor run marks.json "
         "-a nothing -s avd:Pixel",
         2, "the Android SDK's emulator is not found: set ANDROID_HOME"},
        {"avd; proctor run marks.json -a nothing -s avd:Pixle", 2,
         "there is no AVD Pixle; there are: Pixel"},
        {"avd; rm avds/*.ini; proctor run marks.json -a nothing -s avd:Pixel",
         2, "there is no AVD Pixel, and no other one; make one"},
        {"avd kvm; proctor run marks.json -a nothing -s avd:Pixel", 5,
         "hardware acceleration! (its virtual machine needs KVM"},
        {"avd space; proctor run marks.json -a nothing -s avd:Pixel", 5,
         "need 7372.80 MB. (free some disk space"},
        {"avd deaf; PROCTOR_BOOT_SECONDS=2; proctor run marks.json -a nothing "
         "-s avd:Pixel",
         1, "it has not booted within 2 seconds; PROCTOR_BOOT_SECONDS"},
        {"avd; PROCTOR_BOOT_SECONDS=soon; proctor run marks.json -a nothing "
         "-s avd:Pixel",
         2, "PROCTOR_BOOT_SECONDS=soon: give a number"},
        {"avd; export PROCTOR_EMULATOR_OPTIONS='-gpu host -bogus'; proctor run "
         "marks.json -a nothing -s avd:Pixel",
         5, "unknown option: -bogus"},
        {"avd; proctor run marks.json -a nothing -s avd:Pixel:0", 2,
         "--device avd:Pixel:0: write avd:NAME or avd:NAME:N"},
        {"avd; proctor run marks.json -a nothing -s avd:Pixel:x", 2,
         "write avd:NAME or avd:NAME:N"},
        {"avd; proctor run marks.json -a nothing -s 'avd:../Pixel'", 2,
         "write avd:NAME or avd:NAME:N"},
        {"avd; proctor run marks.json -a nothing -s avd:", 2,
         "write avd:NAME or avd:NAME:N"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct command_run run = {.status = 0};
        char script[4096];

        snprintf(script, sizeof(script),
                 "%s set +e; %s --out run; s=$?; ! test -e $log || gone || "
                 "exit 90; exit $s",
                 BEGIN, cases[i].script);
        RUN(&run, cases[i].status, script);
        SAYS(run.errors, cases[i].says);
        command_run_release(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emulators_start_for_a_run_and_end_with_it),
        cmocka_unit_test(each_episode_starts_from_the_quick_boot_snapshot),
        cmocka_unit_test(
            crashed_emulator_is_started_again_and_its_episode_repeated),
        cmocka_unit_test(killed_program_leaves_no_emulator),
        cmocka_unit_test(two_programs_use_different_ports),
        cmocka_unit_test(what_is_missing_is_said),
    };

    return cmocka_run_group_tests(tests, enter, scratch_folder_leave);
}
