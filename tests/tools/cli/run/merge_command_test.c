/* Shards of a run, and joining them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

#define RUN_ALL                                                                \
    "proctor run phone --agent gold -t settings.dark -t clock.city -k 2 "

/* Three shards, by the variables of the schedulers, made once. */
static int make_shards(void **state)
{
    struct command_run run = {.status = 0};

    if (scratch_folder_enter(state))
        return 1;
    RUN(&run, 0,
        "exec 2>/dev/null; " RUN_ALL "--shard 0/3 --out a >/dev/null;"
        "SLURM_ARRAY_TASK_ID=8 SLURM_ARRAY_TASK_MIN=7 "
        "SLURM_ARRAY_TASK_COUNT=3 " RUN_ALL "--shard auto --out b >/dev/null;"
        "JOB_COMPLETION_INDEX=2 " RUN_ALL "--shard auto/3 --out c >/dev/null;"
        "wc -l a/results.jsonl b/results.jsonl c/results.jsonl | "
        "awk '{ printf \"%s \", $1 }' | grep -qx '2 1 1 4 '");
    command_run_release(&run);
    return 0;
}

static void shards_become_the_whole_run(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        "proctor merge c a b --out all && proctor check all >/dev/null && "
        "test $(ls -d all/episodes/*/*/* | wc -l) = 4 && "
        "test $(wc -l <all/results.jsonl) = 4 && "
        "! grep shard all/run.json && proctor resume all 2>&1 && "
        "proctor judge all >/dev/null 2>&1");
    SAYS(run.errors, "4 of 4 episodes");
    command_run_release(&run);
}

static void refuses(const char *script, const char *reason)
{
    struct command_run run = {.status = 0};

    RUN(&run, 2, script);
    SAYS(run.errors, reason);
    command_run_release(&run);
}

static void what_does_not_belong_together_is_refused(void **state)
{
    (void)state;
    refuses("proctor merge a b --out x; code=$?; test ! -e x && exit $code",
            "shard 2/3 is missing");
    refuses("cp -r b d; proctor merge a b c d --out x", "are both shard 1/3");
    refuses("rm -rf d; cp -r c d; sed -i 's/\"seed\":0/\"seed\":5/' d/run.json;"
            "proctor merge a b d --out x",
            "\"seed\" differs");
    refuses(
        "rm -rf d; cp -r c d; sed -i 's/\"builtin\":true/\"builtin\":false/'"
        " d/run.json; proctor merge a b d --out x",
        "phones of another kind");
    refuses("rm -rf d; cp -r c d; cp -r a/episodes/* d/episodes/;"
            "proctor merge a b d --out x",
            "does not belong to shard 2/3");
    refuses("mkdir full; touch full/x; proctor merge a b c --out full",
            "not empty");
    refuses("rm -rf d; cp -r c d; sed -i "
            "'s/,\"shard_index\":2,\"shard_count\":3//' d/run.json; proctor "
            "merge d --out x",
            "is not a shard");
    refuses("proctor merge a b c nothing --out x", "nothing is not a run");
}

static void impossible_shard_is_refused(void **state)
{
    (void)state;
    refuses(RUN_ALL "--shard 3/3 --out x", "from 0/COUNT");
    refuses(RUN_ALL "--shard x/3 --out x", "not a number");
    refuses(RUN_ALL "--shard 1 --out x", "INDEX/COUNT");
    refuses("unset SLURM_ARRAY_TASK_ID JOB_COMPLETION_INDEX; " RUN_ALL
            "--shard auto --out x",
            "neither SLURM_ARRAY_TASK_ID nor");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shards_become_the_whole_run),
        cmocka_unit_test(what_does_not_belong_together_is_refused),
        cmocka_unit_test(impossible_shard_is_refused),
    };

    return cmocka_run_group_tests(tests, make_shards, scratch_folder_leave);
}
