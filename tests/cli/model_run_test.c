/*
 * Whole runs with a model that is served here and does its tasks from what it
 * is sent, through profiles that count in different ways.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tasks/trajectory.h"
#include "tests/cli/command_run.h"
#include "tests/cli/run_look.h"
#include "tests/cli/solver.h"
#include "tests/support/scratch.h"

#define KEY "sk-test-4Rz8nW1cVy6uHs3B"
#define NEAR 3 /* pixels that counting in thousandths may cost */

static struct solver solver = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *const tasks[] = {"settings.dark", "clock.timer",
                                    "shop.cheapest"};

static const struct {
    const char *agent;
    const char *profile;
} ways[] = {
    {"openai:plain", "generic"},
    {"openai:qwen3-vl", "qwen3-vl"},
    {"anthropic:claude-solver", "claude-computer"},
    {"openai:ui-tars", "ui-tars"},
};

/* Without PROCTOR_FULL one less of both. */
static size_t task_count(void)
{
    return ARRAY_LEN(tasks) - (getenv("PROCTOR_FULL") ? 0 : 1);
}

static size_t way_count(void)
{
    return ARRAY_LEN(ways) - (getenv("PROCTOR_FULL") ? 0 : 1);
}

static int start_server(void **state)
{
    struct model_server *server = model_server_start(solver_answer, &solver);
    char url[64];

    *state = server;
    snprintf(url, sizeof(url), "http://127.0.0.1:%u",
             model_server_port(server));
    setenv("ANTHROPIC_BASE_URL", url, 1);
    setenv("OPENAI_BASE_URL", url, 1);
    setenv("ANTHROPIC_API_KEY", KEY, 1);
    setenv("OPENAI_API_KEY", KEY, 1);
    return scratch_enter(state);
}

static int stop_server(void **state)
{
    model_server_stop(*state);
    return scratch_leave(state);
}

static void run_way(size_t i)
{
    struct command_run run = {0};
    char script[512];
    size_t used =
        (size_t)snprintf(script, sizeof(script),
                         "proctor run phone --agent %s --profile %s --mode "
                         "tree --device phone:%zu --out run%zu --model-cache "
                         "cache",
                         ways[i].agent, ways[i].profile, task_count(), i);

    for (size_t k = 0; k < task_count(); k++)
        used += (size_t)snprintf(script + used, sizeof(script) - used, " -t %s",
                                 tasks[k]);
    RUN(&run, 0, script);
    command_run_release(&run);
}

static void load(size_t way, const char *task, struct trajectory *trajectory)
{
    char path[128];
    struct err err = ERR_INIT;

    snprintf(path, sizeof(path), "run%zu/episodes/%s/0/0", way, task);
    if (!trajectory_load(path, trajectory, &err))
        fail_msg("%s", err.text);
}

static void compare(const struct trajectory *a, const struct trajectory *b,
                    const char *where)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        const struct action *one = &a->steps[i].action;
        const struct action *other = &b->steps[i].action;

        if (one->kind != other->kind ||
            abs(one->from.x - other->from.x) > NEAR ||
            abs(one->from.y - other->from.y) > NEAR)
            fail_msg("%s, step %zu: %s %d, %d and %s %d, %d", where, i,
                     action_kind_name(one->kind), one->from.x, one->from.y,
                     action_kind_name(other->kind), other->from.x,
                     other->from.y);
    }
}

static void tasks_are_done_in_the_same_taps_however_points_count(void **state)
{
    (void)state;
    for (size_t i = 0; i < way_count(); i++) {
        char run[16];

        run_way(i);
        snprintf(run, sizeof(run), "run%zu", i);
        assert_string_equal(solver.problem, "");
        run_look_all(run, task_count(), true);
        for (size_t k = 0; i && k < task_count(); k++) {
            struct trajectory first;
            struct trajectory other;

            load(0, tasks[k], &first);
            load(i, tasks[k], &other);
            compare(&first, &other, ways[i].profile);
            trajectory_release(&first);
            trajectory_release(&other);
        }
    }
    assert_true(solver.pictures > 10);
}

/* The model says it in every reply; the cache has them all. */
static void no_file_of_a_run_has_the_key(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "grep -rq 'You said Bearer \\*\\*\\*' run0");
    RUN(&run, 0, "test -s cache/models.db");
    RUN(&run, 1, "grep -rlaF " KEY " .");
    command_run_release(&run);
}

/* What was asked before is answered from the cache: nobody is asked. */
static void a_run_again_asks_nobody(void **state)
{
    struct command_run run = {0};
    int before = model_server_questions(*state);

    RUN(&run, 0,
        "proctor run phone --agent openai:plain --profile generic --mode tree "
        "--device phone --model-cache cache --out again -t settings.dark");
    run_look_all("again", 1, true);
    assert_int_equal(model_server_questions(*state), before);
    command_run_release(&run);
}

static void a_run_ends_when_its_tokens_are_used_up_and_goes_on(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1,
        "proctor run phone --agent openai:plain --profile generic --mode tree "
        "--device phone --max-tokens 1500 --out budget -t settings.dark");
    SAYS(run.errors, "of at most 1500 (--max-tokens)");
    SAYS(run.errors, "proctor resume budget");
    RUN(&run, 0, "proctor resume budget");
    run_look_all("budget", 1, true);
    RUN(&run, 0, "cat budget/run.json");
    SAYS(run.out, "\"model\":{\"name\":\"openai:plain\"");
    SAYS(run.out, "\"served\":\"plain\"");
    SAYS(run.out, "\"profile\":{\"name\":\"generic\",\"sha256\":");
    SAYS(run.out, "\"picture\":{\"width\":900,\"height\":2000}");
    RUN(&run, 2, "proctor run phone --agent gold --max-cost much --out never");
    RUN(&run, 1, "test -e never");
    command_run_release(&run);
}

static void what_it_may_cost_is_said_before(void **state)
{
    struct command_run run = {0};
    int before = model_server_questions(*state);

    RUN(&run, 0,
        "proctor run phone --agent openai:gpt-4o --dry-run --json -k 2 "
        "-t settings.dark --steps 10 --out dry");
    SAYS(run.out, "\"episodes\":2,\"steps\":20,\"input_tokens\":");
    SAYS(run.out, "\"cost\":0.");
    RUN(&run, 1, "test -e dry");
    assert_int_equal(model_server_questions(*state), before);
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_are_done_in_the_same_taps_however_points_count),
        cmocka_unit_test(a_run_again_asks_nobody),
        cmocka_unit_test(a_run_ends_when_its_tokens_are_used_up_and_goes_on),
        cmocka_unit_test(what_it_may_cost_is_said_before),
        cmocka_unit_test(no_file_of_a_run_has_the_key),
    };

    return cmocka_run_group_tests(tests, start_server, stop_server);
}
