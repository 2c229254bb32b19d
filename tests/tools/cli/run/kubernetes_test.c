/* What the pods of docs/kubernetes run, without Kubernetes around them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

/*
 * Every script begins with this. "script FILE": what a manifest's containers
 * run; "pod INDEX": one of an indexed Job with three.
 */
#define BEGIN                                                                  \
    "script() { sed -n '/^        - |$/,/^        env:$/p' " MANIFESTS         \
    "/$1 | sed '1d;$d' | sed 's/^          //'; };"                            \
    "script shards.yaml >pod.sh; script merge.yaml >merge.sh;"                 \
    "script workers.yaml >worker.sh;"                                          \
    "export RUNS=$PWD/runs SUITE=phone AGENT=gold SHARDS=3;"                   \
    "pod() { JOB_COMPLETION_INDEX=$1 sh pod.sh; };"                            \
    "set -e; test -s pod.sh; test -s merge.sh; test -s worker.sh;"

static void pods_of_an_indexed_job_merge_to_one_run(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 0,
        BEGIN
        "sed -i 's/--device phone:2/& -t settings.dark -t clock.city -k 3/' "
        "pod.sh;"
        "pod 0 2>/dev/null; pod 2 2>/dev/null;"
        "sh merge.sh && exit 91;"
        /* A pod that is killed is started again, with its folder. */
        "JOB_COMPLETION_INDEX=1 timeout -s KILL 60 sh pod.sh >/dev/null 2>&1 & "
        "p=$!;"
        "await test -d runs/shard-1/episodes;"
        "kill -9 $(pgrep -P $p) || :; wait $p || :;"
        "pod 1; sh merge.sh; proctor check runs/all >/dev/null;"
        "test $(wc -l <runs/all/results.jsonl) = 6");
    SAYS(run.errors, "is missing");
    command_run_release(&run);
}

static void worker_of_a_job_uses_the_queue_of_its_environment(void **state)
{
    struct command_run run = {.status = 0};

    (void)state;
    RUN(&run, 1,
        BEGIN "PROCTOR_QUEUE='postgresql://worker@/proctor?host=/nowhere' sh "
              "worker.sh");
    SAYS(run.errors, "/nowhere");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pods_of_an_indexed_job_merge_to_one_run),
        cmocka_unit_test(worker_of_a_job_uses_the_queue_of_its_environment),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
