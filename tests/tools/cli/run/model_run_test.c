/*
 * Whole runs with a local model that solves its tasks from the requests,
 * through profiles with different coordinates.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tasks/trajectory/trajectory.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"
#include "tests/tools/cli/run/run_inspect.h"
#include "tests/tools/cli/run/solver_model.h"

#define KEY "sk-test-4Rz8nW1cVy6uHs3B"
#define NEAR 3 /* pixels lost by coordinates in thousandths */

static struct solver_model solver_model = {.lock = PTHREAD_MUTEX_INITIALIZER};

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

/* Without PROCTOR_FULL fewer of both. */
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
    struct model_server *server =
        model_server_start(solver_model_answer, &solver_model);
    char url[64];

    *state = server;
    snprintf(url, sizeof(url), "http://127.0.0.1:%u",
             model_server_port(server));
    setenv("ANTHROPIC_BASE_URL", url, 1);
    setenv("OPENAI_BASE_URL", url, 1);
    setenv("ANTHROPIC_API_KEY", KEY, 1);
    setenv("OPENAI_API_KEY", KEY, 1);
    return scratch_folder_enter(state);
}

static int stop_server(void **state)
{
    model_server_stop(*state);
    return scratch_folder_leave(state);
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

static void tasks_need_the_same_taps_with_all_coordinates(void **state)
{
    (void)state;
    for (size_t i = 0; i < way_count(); i++) {
        char run[16];

        run_way(i);
        snprintf(run, sizeof(run), "run%zu", i);
        assert_string_equal(solver_model.problem, "");
        run_inspect_all(run, task_count(), true);
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
    assert_true(solver_model.pictures > 10);
}

/* The model repeats it in every reply; all are in the cache. */
static void key_is_in_no_file_of_a_run(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "grep -rq 'You said Bearer \\*\\*\\*' run0");
    RUN(&run, 0, "test -s cache/models.db");
    RUN(&run, 1, "grep -rlaF " KEY " .");
    command_run_release(&run);
}

/* Equal requests are answered from the cache. */
static void repeated_run_is_answered_from_the_cache(void **state)
{
    struct command_run run = {0};
    int before = model_server_questions(*state);

    RUN(&run, 0,
        "proctor run phone --agent openai:plain --profile generic --mode tree "
        "--device phone --model-cache cache --out again -t settings.dark");
    run_inspect_all("again", 1, true);
    assert_int_equal(model_server_questions(*state), before);
    command_run_release(&run);
}

static void run_ends_at_its_token_limit_and_can_be_resumed(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1,
        "proctor run phone --agent openai:plain --profile generic --mode tree "
        "--device phone --max-tokens 1500 --out budget -t settings.dark");
    SAYS(run.errors, "of at most 1500 (--max-tokens)");
    SAYS(run.errors, "proctor resume budget");
    RUN(&run, 1, "proctor resume budget"); /* the limit is stored in the run */
    SAYS(run.errors, "of at most 1500 (--max-tokens)");
    RUN(&run, 0, "proctor resume budget --max-tokens 1000000");
    run_inspect_all("budget", 1, true);
    RUN(&run, 0, "cat budget/run.json");
    SAYS(run.out, "\"model\":{\"name\":\"openai:plain\"");
    SAYS(run.out, "\"served\":\"plain\"");
    SAYS(run.out, "\"profile\":{\"name\":\"generic\",\"sha256\":");
    SAYS(run.out, "\"picture\":{\"width\":900,\"height\":2000}");
    RUN(&run, 2, "proctor run phone --agent gold --max-cost much --out never");
    RUN(&run, 1, "test -e never");
    command_run_release(&run);
}

static void estimate_is_printed_before_a_run(void **state)
{
    struct command_run run = {0};
    int before = model_server_questions(*state);

    RUN(&run, 0,
        "proctor run phone --agent openai:gpt-4o --dry-run --json -k 2 "
        "-t settings.dark --steps 10 --out dry");
    SAYS(run.out, "\"episodes\":2,\"steps\":20,\"attempts\":6,"
                  "\"input_tokens\":");
    SAYS(run.out, "\"output_tokens\":245760,"); /* 6 x 10 x 2 x 2048 */
    SAYS(run.out, "\"cost\":");
    RUN(&run, 1, "test -e dry");
    assert_int_equal(model_server_questions(*state), before);
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_need_the_same_taps_with_all_coordinates),
        cmocka_unit_test(repeated_run_is_answered_from_the_cache),
        cmocka_unit_test(run_ends_at_its_token_limit_and_can_be_resumed),
        cmocka_unit_test(estimate_is_printed_before_a_run),
        cmocka_unit_test(key_is_in_no_file_of_a_run),
    };

    return cmocka_run_group_tests(tests, start_server, stop_server);
}
