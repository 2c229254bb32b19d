/* proctor check, report and export on runs whose files were damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

#define SCRIPT_MAX 1024
#define EPISODE "d/episodes/settings.dark/0/0"

/* Two attempts by gold, judged, with descriptions of one of them. */
static int record(void **state)
{
    struct command_run run = {0};

    if (scratch_folder_enter(state))
        return -1;
    RUN(&run, 0,
        "proctor run phone --agent gold --device phone:2 --out good "
        "-t settings.dark --repeats 2 --seed 4 && proctor judge good && "
        "proctor process good/episodes/settings.dark/0/0");
    command_run_release(&run);
    return 0;
}

static const struct damage {
    const char *script; /* what damages the copy d of the run */
    int check;          /* the exit code of check, */
    const char *says;   /* what it prints, */
    const char *report; /* what report prints to stderr; NULL: nothing, */
    const char *export; /* and what export prints to stderr; NULL: nothing */
} damages[] = {
    {"true", 0, "2 episodes, 0 with problems", NULL, NULL},
    {"rm " EPISODE "/screens/0001.png", 1, "screens/0001.png",
     "is missing: screens/0001.png", "screens/0001.png"},
    {"truncate -s -9 " EPISODE "/screens/0001.png", 1,
     "is not what was recorded", "is damaged: screens/0001.png",
     "bad file: damaged: screens/0001.png"},
    {"f=" EPISODE "/screens/0000.png; rm $f; mkfifo $f", 1,
     "is not a regular file", "is damaged: screens/0000.png",
     "bad file: damaged: screens/0000.png"},
    {": > " EPISODE "/trees/0000.xml", 1, "is not what was recorded",
     "is damaged: trees/0000.xml", "bad file: damaged: trees/0000.xml"},
    {"echo >> " EPISODE "/trees/0000.xml", 1, "is not what was recorded", NULL,
     NULL},
    {"printf garbage > " EPISODE "/events.jsonl", 1, "there is no head",
     "is in no rate", "is left out"},
    {"rm " EPISODE "/events.jsonl", 1, "its events do not", "is in no rate",
     "its events do not"},
    {"rm -r " EPISODE, 1, "there is no such episode", "is in no rate",
     "there is no such episode"},
    {"rm " EPISODE "/task.json", 1, "task.json", "is missing: task.json",
     "task.json"},
    {"echo '{\"met\":\"yes\"}' > " EPISODE "/truth.json", 1, "truth.json: met",
     NULL, NULL},
    {"echo '[]' > " EPISODE "/truth.json", 1, "truth.json", NULL, NULL},
    {"echo '{\"step\":0}' > " EPISODE "/process.jsonl", 1,
     "process.jsonl: line 1: description", NULL, NULL},
    {"sed -i 1d " EPISODE "/process.jsonl", 1, "step: expected 0", NULL, NULL},
    {"sed -i '$d' " EPISODE "/process.jsonl", 1, "lines for", NULL, NULL},
    {"for f in " EPISODE "/verdict.*; do echo x > $f; done", 1, "verdict.rules",
     "is in no rate", "is damaged"},
    {"head -n 1 d/results.jsonl >> d/results.jsonl", 1, "lists it twice",
     "lists it twice", "lists it twice"},
    {"sed -i 's/\"steps\":[0-9]*/\"steps\":99/' d/results.jsonl", 1,
     "do not agree: steps", "do not agree: steps", "do not agree: steps"},
    {"sed -i '/dark.0.0/d' d/results.jsonl", 0,
     "proctor resume adds 1 to results.jsonl", "proctor resume adds it", NULL},
    {"cp -r " EPISODE " d/episodes/settings.dark/0/1", 1, "it is a copy of",
     "does not list it", NULL},
    {"echo >> d/suite.json", 1, "suite.json is not what was run", NULL, NULL},
    {"rm -r d/episodes d/results.jsonl", 0, "0 episodes, 0 with problems", NULL,
     NULL},
};

static void say(const struct command_run *run, const char *part,
                const struct damage *damage)
{
    if (part && !strstr(buf_cstr(&run->errors), part))
        fail_msg("%s: \"%s\" does not say \"%s\"", damage->script,
                 buf_cstr(&run->errors), part);
    if (!part && run->errors.length)
        fail_msg("%s: %s", damage->script, buf_cstr(&run->errors));
}

static void check_finds_every_damage(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(damages); i++) {
        struct command_run run = {0};
        char script[SCRIPT_MAX];

        snprintf(script, sizeof(script),
                 "rm -rf d; cp -r good d; %s; proctor check d",
                 damages[i].script);
        RUN(&run, damages[i].check, script);
        SAYS(run.out, damages[i].says);
        command_run_release(&run);
    }
}

static void report_and_export_name_damaged_episodes(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(damages); i++) {
        const struct damage *damage = &damages[i];
        struct command_run run = {0};
        char script[SCRIPT_MAX];

        snprintf(script, sizeof(script),
                 "rm -rf d; cp -r good d; %s; proctor report d",
                 damage->script);
        RUN(&run, 0, script);
        say(&run, damage->report, damage);
        RUN(&run, damage->export ? 1 : 0, "proctor export d");
        say(&run, damage->export, damage);
        command_run_release(&run);
    }
}

static void json_has_the_problems(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1,
        "rm -rf d; cp -r good d; rm " EPISODE "/events.jsonl; "
        "sed -i '/dark.1.0/d' d/results.jsonl; proctor check --json d");
    SAYS(run.out, "\"bad\":[{\"episode\":\"" EPISODE "\"");
    SAYS(run.out, "\"notes\":[{\"episode\":\"d/episodes/settings.dark/1/0\"");
    RUN(&run, 0, "proctor report --json d");
    SAYS(run.out, "\"faults\":[\"episodes/settings.dark/1/0: it ended");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_finds_every_damage),
        cmocka_unit_test(report_and_export_name_damaged_episodes),
        cmocka_unit_test(json_has_the_problems),
    };

    return cmocka_run_group_tests(tests, record, scratch_folder_leave);
}
