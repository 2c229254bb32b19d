/*
 * From touches on the built-in phone to a task: a gold run is taken for a
 * recording, starred, proposed, saved, run, judged and replayed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

/* record TASK LANGUAGE STAR...: the recording in rec/TASK, with these stars. */
static const char record[] =
    "task=$1 locale=$2\n"
    "shift 2\n"
    "proctor run phone --agent gold -t $task --device phone --locale $locale "
    "-o run-$task >/dev/null || exit\n"
    "mkdir -p rec && cp -r run-$task/episodes/$task/0/0 rec/$task || exit\n"
    "rm -f rec/$task/task.json rec/$task/truth.json\n"
    "{ echo '{\"format\":\"proctor-recording\",\"version\":1}'\n"
    "for star; do\n"
    "    echo "
    "\"{\\\"edit\\\":\\\"star\\\",\\\"step\\\":$star,\\\"on\\\":true}\"\n"
    "done; } >rec/$task/edits.jsonl\n";

static int set_up(void **state)
{
    if (scratch_folder_enter(state))
        return -1;
    command_run_save("record", record);
    return 0;
}

static void recording_becomes_a_task_that_runs(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "sh -e ./record shop.cheapest en 1 3 4");
    RUN(&run, 0,
        "proctor propose rec/shop.cheapest --suite my.json --id my.cheapest");
    SAYS(run.out, "accepted  the recording");
    SAYS(run.out, "11 of 11 wrong twins are refused");
    SAYS(run.errors, "saved task my.cheapest in my.json");
    RUN(&run, 0, "proctor check gold/my.cheapest/1");
    RUN(&run, 0,
        "proctor run my.json --agent gold --device phone --locale en -o r && "
        "proctor judge r");
    SAYS(run.out, "1 success");
    RUN(&run, 0, "proctor replay gold/my.cheapest/1 --device phone");
    SAYS(run.out, "done");
    command_run_release(&run);
}

/* A run starts the app: opening it is not part of the gold. */
static void recording_from_the_home_screen_runs(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "printf 'tap Settings\ntap Display\ntap Dark theme\ns\nfinish\n' | "
        "proctor record dark -s phone && proctor propose recordings/dark "
        "--suite home.json --instruction 'Switch to the dark theme.'");
    SAYS(run.out, "accepted  the recording");
    RUN(&run, 0,
        "proctor run home.json --agent gold --device phone --locale en -o h "
        "&& proctor judge h");
    SAYS(run.out, "1 success");
    RUN(&run, 0,
        "proctor replay gold/dark/1 && proctor replay recordings/dark");
    command_run_release(&run);
}

static void another_language_joins_the_suite(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "sh -e ./record settings.dark zh 1");
    RUN(&run, 0,
        "proctor propose rec/settings.dark --suite my.json --id my.dark "
        "--instruction-zh 打开深色主题。 --json | grep -o '\"accepted\":true'");
    RUN(&run, 0, "proctor tasks my.json");
    SAYS(run.out, "2 tasks");
    RUN(&run, 0,
        "proctor run my.json -t my.dark --agent gold --device phone --locale "
        "zh -o z && proctor judge z");
    SAYS(run.out, "1 success");
    RUN(&run, 2,
        "proctor propose rec/settings.dark --suite my.json --id "
        "my.dark");
    SAYS(run.errors, "already");
    command_run_release(&run);
}

static void twins_are_carried_out_and_judged_as_the_truth_says(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "proctor propose rec/settings.dark --truth settings.dark -o twins");
    SAYS(run.out, "carried out\nrefused  is wrong  left out: ");
    SAYS(run.out, "5 of 5 twins are judged as the truth says");
    command_run_release(&run);
}

static void recording_without_a_star_says_what_to_do(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2,
        "rm rec/settings.dark/edits.jsonl && "
        "proctor propose rec/settings.dark");
    SAYS(run.errors, "star a step that matters");
    RUN(&run, 2, "proctor propose rec/none");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recording_becomes_a_task_that_runs),
        cmocka_unit_test(recording_from_the_home_screen_runs),
        cmocka_unit_test(another_language_joins_the_suite),
        cmocka_unit_test(twins_are_carried_out_and_judged_as_the_truth_says),
        cmocka_unit_test(recording_without_a_star_says_what_to_do),
    };

    return cmocka_run_group_tests(tests, set_up, scratch_folder_leave);
}
