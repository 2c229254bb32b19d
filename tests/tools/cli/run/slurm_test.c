/* Shards of a run as an array of a real Slurm with two nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

/*
 * Every script begins with this. shards.sh is the script of docs/farm-slurm.md
 * for a short suite; "array RANGE" runs it, and waits for its end.
 */
#define BEGIN                                                                  \
    "rm -rf shard-* all alone nodes go;"                                       \
    "cat >shards.sh <<'END'\n"                                                 \
    "#!/bin/sh\n"                                                              \
    "echo $SLURMD_NODENAME >>nodes\n"                                          \
    "until test -e go; do sleep 0.1; done\n"                                   \
    "exec proctor run phone --agent gold -t settings.dark -t clock.city -k 4 " \
    "--device phone --shard auto --out shard-$SLURM_ARRAY_TASK_ID\n"           \
    "END\n"                                                                    \
    "array() { sbatch --parsable --chdir=$PWD --output=%a.log $2 "             \
    "--array=$1 shards.sh; };"                                                 \
    "lines() { test \"$(cat $1 2>/dev/null | wc -l)\" = $2; };"                \
    "set -e;"

/* The results of a run, without what differs from start to start. */
#define RESULTS(folder_)                                                       \
    "grep -o '\"task\":\"[^\"]*\",\"repeat\":[0-9]*\\|"                        \
    "\"ending\":\"[^\"]*\"\\|\"steps\":[0-9]*' " folder_                       \
    "/results.jsonl | paste - - - | sort"

static void shards_of_an_array_merge_to_the_run_of_one_computer(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN
        "touch go;"
        "for range in 0-3 8-10; do rm -rf shard-* all nodes;"
        "  array $range --wait >/dev/null;"
        "  proctor merge shard-* --out all; proctor check all >/dev/null;"
        "  test $(sort -u nodes | wc -l) = 2;"
        "  lines all/results.jsonl 8;"
        "done;"
        "proctor run phone --agent gold -t settings.dark -t clock.city -k 4 "
        "--out alone >/dev/null 2>&1;" RESULTS("alone") ">alone.txt;" RESULTS(
            "all") ">all.txt;"
                   "lines all.txt 8; cmp alone.txt all.txt");
    command_run_release(&run);
}

/* With the number of shards given, a part of an array is submitted again. */
static void cancelled_task_of_an_array_is_submitted_again(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN "sed -i 's:shard auto:&/2:' shards.sh; job=$(array 0-1); await "
              "lines nodes 2;"
              "scancel ${job}_1; touch go;"
              "await lines shard-0/results.jsonl 4;"
              "ended() { test -z \"$(squeue -h -j $job 2>/dev/null)\"; };"
              "await ended;"
              "test ! -e shard-1;"
              "proctor merge shard-* --out all && exit 91;"
              "array 1 --wait >/dev/null;"
              "proctor merge shard-* --out all; lines all/results.jsonl 8");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shards_of_an_array_merge_to_the_run_of_one_computer),
        cmocka_unit_test(cancelled_task_of_an_array_is_submitted_again),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
