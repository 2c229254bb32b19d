/* kill -9 at any moment: resume ends with the same results. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/deadline.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"
#include "tests/tools/cli/run/run_inspect.h"

#define KILLS 20
#define KILLS_FULL 200
#define KILLS_EACH 10  /* kills of one run, before it may end */
#define LONGEST_MS 600 /* until a kill: some episodes end, others do not */

/* Two tasks, twice each, on two phones. */
#define TASKS "-t", "settings.dark", "-t", "clock.city", "-k", "2"
#define RESULTS 4

/* Start or resume the run of that name, quietly. */
static pid_t start(const char *name, bool resume)
{
    pid_t pid = fork();
    int null;

    assert_true(pid >= 0);
    if (pid)
        return pid;
    null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    if (resume)
        execl(PROCTOR_FOLDER "/proctor", "proctor", "resume", name,
              (char *)NULL);
    else
        execl(PROCTOR_FOLDER "/proctor", "proctor", "run", "phone", "--agent",
              "gold", "--device", "phone:2", "--out", name, TASKS,
              (char *)NULL);
    _exit(127);
}

static void kill_after(pid_t pid, unsigned ms)
{
    usleep(ms * 1000);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static bool is_begun(const char *name)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/run.json", name);
    return access(path, R_OK) == 0;
}

static void await_begin(const char *name)
{
    struct deadline by = deadline_in_ms(60000);

    while (!is_begun(name)) {
        assert_false(deadline_passed(by));
        usleep(1000);
    }
}

/* The ended attempts are those of a run without kills. */
static void check_results(const char *name)
{
    struct run_results results;
    bool seen[2][2] = {{false}};

    run_inspect_results(name, RESULTS, &results);
    for (size_t i = 0; i < results.count; i++) {
        const struct run_result *result = &results.items[i];
        bool city = !strcmp(result->task, "clock.city");

        assert_false(seen[city][result->repeat]);
        seen[city][result->repeat] = true;
        assert_int_equal(result->ending,
                         city ? ENDING_ANSWER : ENDING_COMPLETE);
        assert_true(run_inspect_truth(name, result));
    }
    run_results_release(&results);
}

/* All files are valid; a kill may come before there are any. */
static void check_files(const char *name)
{
    struct command_run run = {0};
    char script[512];

    snprintf(script, sizeof(script),
             "test -z \"$(find %s -name events.jsonl 2>/dev/null)\" || "
             "proctor check %s",
             name, name);
    RUN(&run, 0, script);
    command_run_release(&run);
}

static void kill_one(const char *name, unsigned *random)
{
    struct command_run run = {0};
    char script[512];

    for (int i = 0; i < KILLS_EACH; i++) {
        pid_t pid = start(name, is_begun(name));

        if (i > 0) /* the first kill may come before there is a run */
            await_begin(name);
        kill_after(pid, (unsigned)rand_r(random) % LONGEST_MS);
        check_files(name);
    }
    snprintf(script, sizeof(script), "proctor resume %s", name);
    RUN(&run, 0, script);
    check_files(name);
    check_results(name);
    command_run_release(&run);
}

static void repeatedly_killed_run_ends_like_any_other(void **state)
{
    int most = getenv("PROCTOR_FULL") ? KILLS_FULL : KILLS;
    unsigned random = 7;

    (void)state;
    for (int kills = 0; kills < most; kills += KILLS_EACH) {
        char name[32];

        snprintf(name, sizeof(name), "killed-%d", kills);
        kill_one(name, &random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeatedly_killed_run_ends_like_any_other),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
