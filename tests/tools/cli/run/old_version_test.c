/* The commands that read runs, on a run in version 1 of the format. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

#define EPISODE "old/episodes/settings.dark/0/0"

/*
 * Give every file of the run the names and the version that version 1 had. The
 * hash of the suite is recorded in run.json.
 */
static const char downgrade[] =
    "set -e\n"
    "cp -r new old\n"
    "sed -i 's/\"version\":2/\"version\":1/' old/run.json " EPISODE
    "/events.jsonl " EPISODE "/verdict.*\n"
    "sed -i 's/\"preset\":\"default\"/\"preset\":\"usual\"/\n"
    "  s/\"no_animations\":/\"still\":/; s/\"no_rotation\":/\"upright\":/\n"
    "  s/\"on_my_phone\":/\"aimless\":/' old/run.json\n"
    "sed -i 's/\"description\":/\"words\":/g' " EPISODE
    "/process.jsonl " EPISODE "/verdict.*\n"
    "sed -i 's/\"key_step\":/\"star\":/g' old/suite.json " EPISODE
    "/task.json\n"
    "before=$(sha256sum < new/suite.json | cut -c 1-64)\n"
    "after=$(sha256sum < old/suite.json | cut -c 1-64)\n"
    "sed -i \"s/$before/$after/\" old/run.json\n";

/* Fails unless each old name is in the run's files. */
static const char has_old_names[] =
    "grep -q '\"preset\":\"usual\"' old/run.json && "
    "grep -q '\"still\":true,\"upright\":true,\"aimless\":true' old/run.json "
    "&& "
    "grep -q '\"words\":' " EPISODE "/process.jsonl && "
    "grep -q '\"words\":' " EPISODE "/verdict.* && "
    "grep -q '\"star\":' " EPISODE "/task.json && "
    "! grep -rq '\"version\":2' old";

static int record(void **state)
{
    struct command_run run = {0};

    if (scratch_folder_enter(state))
        return -1;
    RUN(&run, 0,
        "proctor run phone --agent gold --device phone --out new "
        "-t settings.dark --seed 4 --no-animations --no-rotation --on-my-phone "
        "&& proctor judge new && "
        "proctor process new/episodes/settings.dark/0/0");
    RUN(&run, 0, downgrade);
    RUN(&run, 0, has_old_names);
    command_run_release(&run);
    return 0;
}

static void check_accepts_a_run_of_version_1(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor check old");
    SAYS(run.out, "1 episode, 0 with problems");
    command_run_release(&run);
}

static void judge_and_report_read_a_run_of_version_1(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor report --json old");
    SAYS(run.out, "\"success\"");
    RUN(&run, 0,
        "rm -rf again && cp -r old again && "
        "rm again/episodes/settings.dark/0/0/verdict.* && "
        "proctor judge again && proctor report --json again");
    SAYS(run.out, "\"success\"");
    command_run_release(&run);
}

static void report_shows_the_descriptions_of_version_1(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "rm -rf plain && cp -r old plain && "
        "rm plain/episodes/settings.dark/0/0/verdict.* && "
        "sed -i '1s/\"words\":\"[^\"]*\"/\"words\":\"recorded long ago\"/' "
        "plain/episodes/settings.dark/0/0/process.jsonl && "
        "proctor report plain --html plain.html && "
        "grep -c 'recorded long ago' plain.html");
    command_run_release(&run);
}

static void replay_repeats_an_episode_of_version_1(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor replay " EPISODE);
    SAYS(run.out, "2 of 2 steps");
    command_run_release(&run);
}

static void resume_continues_a_run_of_version_1(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "rm -rf half && cp -r old half && rm -r half/episodes "
        "half/results.jsonl && proctor resume half && proctor check half");
    SAYS(run.out, "1 episode, 0 with problems");
    RUN(&run, 0,
        "grep -o '\"no_animations\":true,\"no_rotation\":true,"
        "\"on_my_phone\":true' half/run.json");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_accepts_a_run_of_version_1),
        cmocka_unit_test(judge_and_report_read_a_run_of_version_1),
        cmocka_unit_test(report_shows_the_descriptions_of_version_1),
        cmocka_unit_test(replay_repeats_an_episode_of_version_1),
        cmocka_unit_test(resume_continues_a_run_of_version_1),
    };

    return cmocka_run_group_tests(tests, record, scratch_folder_leave);
}
