/* Environments on built-in phones: episodes, rewards, forks, same bytes. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tasks/trajectory/trajectory.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/env/env_desk.h"

#define RESET                                                                  \
    "{\"method\":\"reset\",\"env\":\"e1\",\"task\":\"shop.cheapest\","         \
    "\"seed\":7}"
#define STEP(env, action)                                                      \
    "{\"method\":\"step\",\"env\":\"" env "\",\"action\":" action "}"
#define BACK "{\"action\":\"back\"}"

static const struct env_hub_options defaults = {.threads = 2};

static int set_up(void **state)
{
    struct env_desk *desk = mem_new(1, sizeof(*desk));

    env_desk_init(desk);
    *state = desk;
    return 0;
}

static int tear_down(void **state)
{
    env_desk_release(*state);
    free(*state);
    return 0;
}

static void assert_has(const char *answer, const char *words)
{
    if (!strstr(answer, words))
        fail_msg("no %s in %.2000s", words, answer);
}

/* ---- episodes ---- */

static void a_reset_opens_the_task(void **state)
{
    struct env_desk *desk = *state;
    const char *answer;

    env_desk_open(desk, &defaults);
    answer = env_desk_expect(desk, RESET);
    assert_has(answer, "\"package\":\"org.proctor.shop\"");
    assert_has(answer, "headphones");
    assert_has(answer, "\"reward\":0,\"done\":false");
    assert_has(answer, "\"seed\":7,\"split\":\"test\"");
    assert_null(strstr(answer, "\"screen\""));
    assert_null(strstr(answer, "\"elements\""));
}

static void an_episode_ends_with_its_last_action(void **state)
{
    struct env_desk *desk = *state;
    const char *answer;

    env_desk_open(desk, &defaults);
    (void)env_desk_expect(desk, RESET);
    (void)env_desk_expect(
        desk, STEP("e1", "{\"action\":\"open_app\",\"text\":\"settings\"}"));
    answer = env_desk_expect(desk, STEP("e1", "{\"action\":\"complete\"}"));
    assert_has(answer, "\"reward\":0,\"done\":true,\"terminated\":true,"
                       "\"truncated\":false");
    assert_has(answer, "\"ending\":\"complete\"");
    assert_has(answer, "\"met\":false");
    env_desk_expect_error(desk, STEP("e1", BACK), "the episode is over");
}

#define RESET_DARK(more)                                                       \
    "{\"method\":\"reset\",\"env\":\"e1\",\"task\":\"settings.dark\"" more "}"

static void a_task_that_is_done_is_rewarded_once(void **state)
{
    struct env_desk *desk = *state;

    env_desk_open(desk, &defaults);
    (void)env_desk_expect(desk, RESET_DARK(""));
    assert_has(env_desk_tap(desk, "e1", "Display"), "\"reward\":0,");
    assert_has(env_desk_tap(desk, "e1", "Dark"), "\"reward\":1,\"done\":false");
    assert_has(env_desk_expect(desk, STEP("e1", "{\"action\":\"home\"}")),
               "\"reward\":0,");
    assert_has(env_desk_expect(desk, STEP("e1", "{\"action\":\"complete\"}")),
               "\"reward\":0,\"done\":true");
}

static void what_is_undone_costs_the_reward(void **state)
{
    struct env_desk *desk = *state;

    env_desk_open(desk, &defaults);
    (void)env_desk_expect(desk, RESET_DARK(",\"reward\":\"truth\""));
    (void)env_desk_tap(desk, "e1", "Display");
    assert_has(env_desk_tap(desk, "e1", "Dark"), "\"reward\":1,");
    assert_has(env_desk_tap(desk, "e1", "Dark"), "\"reward\":-1,");
}

static void an_episode_can_end_when_the_truth_is_met(void **state)
{
    struct env_desk *desk = *state;

    env_desk_open(desk, &defaults);
    (void)env_desk_expect(desk, RESET_DARK(",\"ends_when_met\":true"));
    (void)env_desk_tap(desk, "e1", "Display");
    assert_has(env_desk_tap(desk, "e1", "Dark"),
               "\"reward\":1,\"done\":true,\"terminated\":true");
}

static void the_budget_truncates(void **state)
{
    struct env_desk *desk = *state;
    const char *answer;

    env_desk_open(desk, &defaults);
    (void)env_desk_expect(desk, "{\"method\":\"reset\",\"env\":\"e1\",\"task\":"
                                "\"shop.cheapest\",\"seed\":7,\"steps\":2}");
    answer = env_desk_expect(
        desk, STEP("e1", "{\"action\":\"scroll\",\"direction\":\"down\"}"));
    assert_has(answer, "\"done\":false");
    answer = env_desk_expect(desk, STEP("e1", BACK));
    assert_has(answer, "\"truncated\":true");
    assert_has(answer, "no steps are left");
}

static void five_equal_actions_end_it(void **state)
{
    struct env_desk *desk = *state;

    env_desk_open(desk, &defaults);
    (void)env_desk_expect(desk, RESET);
    for (int i = 0; i < 4; i++)
        assert_has(env_desk_expect(desk, STEP("e1", "{\"action\":\"wait\"}")),
                   "\"done\":false");
    assert_has(env_desk_expect(desk, STEP("e1", "{\"action\":\"wait\"}")),
               "\"ending\":\"repeated\"");
}

static void what_is_impossible_is_a_step_with_a_notice(void **state)
{
    struct env_desk *desk = *state;
    const char *answer;

    env_desk_open(desk, &defaults);
    (void)env_desk_expect(desk, RESET);
    answer = env_desk_expect(
        desk, STEP("e1", "{\"action\":\"open_app\",\"text\":\"nonsense\"}"));
    assert_has(answer, "\"notice\":\"no app on the phone is called");
    assert_has(answer, "\"step\":1");
    answer = env_desk_expect(desk, "{\"method\":\"step\",\"env\":\"e1\","
                                   "\"text\":\"I do not know\"}");
    assert_has(answer, "\"blocked\":2,\"no_action\":1");
    env_desk_expect_error(desk,
                          STEP("e1", "{\"action\":\"click\",\"index\":200}"),
                          "there is no element 200");
    assert_has(env_desk_expect(desk, "{\"method\":\"state\",\"env\":\"e1\"}"),
               "\"step\":2");
}

static void unknown_names_are_errors(void **state)
{
    struct env_desk *desk = *state;

    env_desk_open(desk, &(struct env_hub_options){.environments = 1});
    env_desk_expect_error(desk, STEP("e9", BACK), "no environment e9");
    env_desk_expect_error(
        desk, "{\"method\":\"reset\",\"env\":\"e1\",\"task\":\"shop.cheap\"}",
        "shop.cheap");
    (void)env_desk_expect(desk, RESET);
    env_desk_expect_error(
        desk,
        "{\"method\":\"reset\",\"env\":\"e2\",\"task\":\"shop.cheapest\"}",
        "--max-envs");
    env_desk_expect_error(desk,
                          "{\"method\":\"fork\",\"env\":\"e1\",\"to\":\"e1\"}",
                          "close it first");
    (void)env_desk_expect(desk, "{\"method\":\"close\",\"env\":\"e1\"}");
    (void)env_desk_expect(desk, "{\"method\":\"reset\",\"env\":\"e2\",\"task\":"
                                "\"shop.cheapest\"}");
}

/* ---- seeds ---- */

static void seeds_of_a_split_come_in_turn(void **state)
{
    struct env_desk *desk = *state;
    char words[64];

    env_desk_open(
        desk, &(struct env_hub_options){.has_split = true, .split = ENV_TEST});
    for (uint64_t i = 0; i < 2; i++) {
        snprintf(words, sizeof(words), "\"seed\":%llu,\"split\":\"test\"",
                 (unsigned long long)env_split_seed(ENV_TEST, i));
        assert_has(env_desk_expect(desk, "{\"method\":\"reset\",\"env\":\"e1\","
                                         "\"task\":\"shop.cheapest\"}"),
                   words);
    }
    env_desk_expect_error(desk,
                          "{\"method\":\"reset\",\"env\":\"e1\",\"split\":"
                          "\"train\"}",
                          "only \\\"test\\\" is allowed");
    env_desk_expect_error(desk,
                          "{\"method\":\"reset\",\"env\":\"e1\",\"seed\":6}",
                          "6 is a train seed");
}

/* ---- the same bytes ---- */

static const char *const walk[] = {
    "{\"action\":\"click\",\"x\":540,\"y\":200}",
    "{\"action\":\"type\",\"text\":\"head phones\",\"submit\":true}",
    "{\"action\":\"scroll\",\"direction\":\"down\"}",
    "{\"action\":\"click\",\"x\":540,\"y\":1200}",
    "{\"action\":\"long_press\",\"x\":300,\"y\":900}",
    "{\"action\":\"swipe\",\"direction\":\"left\"}",
    BACK,
    "{\"action\":\"type\",\"text\":\"\\u8033\\u673a\"}",
    "{\"action\":\"home\"}",
    "{\"action\":\"open_app\",\"text\":\"clock\"}",
};

static void take_step(struct env_desk *desk, const char *env, size_t at,
                      const char *view)
{
    char request[512];

    snprintf(request, sizeof(request),
             "{\"method\":\"step\",\"env\":\"%s\",\"action\":%s%s}", env,
             walk[at], view);
    (void)env_desk_expect(desk, request);
}

/* The whole observation, without the name of the environment. */
static char *look_at(struct env_desk *desk, const char *env)
{
    char request[256];
    const char *answer;

    snprintf(request, sizeof(request),
             "{\"method\":\"observe\",\"env\":\"%s\",\"screen\":\"base64\","
             "\"tree\":\"xml\"}",
             env);
    answer = env_desk_expect(desk, request);
    return mem_dup(strstr(answer, "\"observation\""));
}

static void assert_same_sight(struct env_desk *desk, const char *a,
                              const char *b)
{
    char *observations[] = {look_at(desk, a), look_at(desk, b)};

    assert_string_equal(observations[0], observations[1]);
    free(observations[0]);
    free(observations[1]);
}

static void the_same_actions_give_the_same_bytes(void **state)
{
    struct env_desk *desk = *state;

    env_desk_open(desk, &defaults);
    (void)env_desk_expect(desk, RESET);
    (void)env_desk_expect(desk, "{\"method\":\"reset\",\"env\":\"e2\",\"task\":"
                                "\"shop.cheapest\",\"seed\":7}");
    for (size_t i = 0; i < ARRAY_LEN(walk); i++) {
        /* What is observed does not matter. */
        take_step(desk, "e1", i, "");
        take_step(desk, "e2", i, ",\"screen\":\"path\",\"tree\":\"elements\"");
        if (i % 3 == 0)
            assert_same_sight(desk, "e1", "e2");
    }
    assert_same_sight(desk, "e1", "e2");
}

static void a_fork_goes_on_as_its_origin(void **state)
{
    struct env_desk *desk = *state;

    env_desk_open(desk, &defaults);
    (void)env_desk_expect(desk, RESET);
    for (size_t i = 0; i < ARRAY_LEN(walk); i++) {
        char name[16];
        char request[128];

        take_step(desk, "e1", i, "");
        if (i % 4)
            continue;
        snprintf(name, sizeof(name), "f%zu", i);
        snprintf(request, sizeof(request),
                 "{\"method\":\"fork\",\"env\":\"e1\",\"to\":\"%s\"}", name);
        (void)env_desk_expect(desk, request);
    }
    for (size_t i = 1; i < ARRAY_LEN(walk); i++) {
        take_step(desk, "f0", i, "");
        if (i > 4)
            take_step(desk, "f4", i, "");
    }
    assert_same_sight(desk, "e1", "f0");
    assert_same_sight(desk, "e1", "f4");
}

static void many_resets_and_forks_leave_nothing(void **state)
{
    struct env_desk *desk = *state;

    env_desk_open(desk, &defaults);
    for (int i = 0; i < 12; i++) {
        (void)env_desk_expect(desk, "{\"method\":\"reset\",\"env\":\"e1\","
                                    "\"task\":\"shop.cheapest\"}");
        (void)env_desk_expect(desk, STEP("e1", BACK));
        (void)env_desk_expect(
            desk, "{\"method\":\"fork\",\"env\":\"e1\",\"to\":\"e2\"}");
        (void)env_desk_expect(desk, STEP("e2", BACK));
        (void)env_desk_expect(desk, "{\"method\":\"close\",\"env\":\"e2\"}");
    }
}

/* A fork goes on as an environment that did all of its steps itself. */
static void a_fork_goes_on_as_a_replay(void **state)
{
    static const char *const tasks[] = {"shop.cheapest", "eats.nearest",
                                        "clock.timer"};
    struct env_desk *desk = *state;
    char request[160];

    env_desk_open(desk, &defaults);
    for (size_t task = 0; task < ARRAY_LEN(tasks); task++) {
        for (const char *name = "eg"; *name; name++) {
            snprintf(request, sizeof(request),
                     "{\"method\":\"reset\",\"env\":\"%c\",\"task\":"
                     "\"%s\",\"seed\":11,\"steps\":100}",
                     *name, tasks[task]);
            (void)env_desk_expect(desk, request);
        }
        for (size_t i = 0; i < ARRAY_LEN(walk); i++) {
            const char *goes_on = i < ARRAY_LEN(walk) / 2 ? "e" : "f";

            if (i == ARRAY_LEN(walk) / 2)
                (void)env_desk_expect(
                    desk, "{\"method\":\"fork\",\"env\":\"e\",\"to\":"
                          "\"f\"}");
            take_step(desk, goes_on, i, "");
            take_step(desk, "g", i, "");
            if (i % 4 == 3 || i + 1 == ARRAY_LEN(walk))
                assert_same_sight(desk, goes_on, "g");
        }
        (void)env_desk_expect(desk, "{\"method\":\"close\",\"env\":\"f\"}");
    }
}

/* ---- records ---- */

static void an_episode_is_recorded_as_a_trajectory(void **state)
{
    struct env_desk *desk = *state;
    char path[PATH_MAX];
    char record[PATH_MAX - 64];
    struct trajectory trajectory;
    struct err err = ERR_INIT;

    snprintf(record, sizeof(record), "%s/run", scratch_folder_path());
    desk->world.record = record;
    env_desk_open(desk, &defaults);
    (void)env_desk_expect(desk, RESET);
    (void)env_desk_expect(desk, STEP("e1", BACK));
    (void)env_desk_expect(desk, "{\"method\":\"step\",\"env\":\"e1\",\"text\":"
                                "\"click(10, 20)\"}");
    (void)env_desk_expect(desk, STEP("e1", "{\"action\":\"complete\"}"));
    (void)env_desk_expect(desk, "{\"method\":\"close\",\"env\":\"e1\"}");
    snprintf(path, sizeof(path), "%s/episodes/shop.cheapest/0/0", record);
    if (!trajectory_check(path, &err) ||
        !trajectory_load(path, &trajectory, &err))
        fail_msg("%s", err.text);
    assert_int_equal(trajectory.count, 4);
    assert_int_equal(trajectory.ending, ENDING_COMPLETE);
    assert_string_equal(trajectory.steps[1].reply, "click(10, 20)");
    assert_string_not_equal(trajectory.steps[3].screen.file, "");
    trajectory_release(&trajectory);
}

/* Without a truth, the needs are read from a record that is deleted. */
static void needs_are_scored_without_a_truth(void **state)
{
    struct env_desk *desk = *state;
    const char *answer;

    for (size_t i = 0; i < desk->suite.count; i++) {
        free(desk->suite.tasks[i].truth);
        desk->suite.tasks[i].truth = NULL;
    }
    env_desk_open(desk, &defaults);
    env_desk_expect_error(desk, RESET_DARK(",\"reward\":\"truth\""),
                          "has no truth");
    (void)env_desk_expect(desk, RESET_DARK(""));
    (void)env_desk_tap(desk, "e1", "Display");
    (void)env_desk_tap(desk, "e1", "Dark");
    env_desk_expect_error(desk,
                          "{\"method\":\"fork\",\"env\":\"e1\",\"to\":\"e2\"}",
                          "scored by its record");
    /* Its need is read by a probe, which runs at the end. */
    answer = env_desk_expect(desk, STEP("e1", "{\"action\":\"complete\"}"));
    assert_has(answer, "\"met\":true,\"score\":1");
    assert_null(strstr(answer, "\"reward\":0,"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_reset_opens_the_task),
        TEST(an_episode_ends_with_its_last_action),
        TEST(a_task_that_is_done_is_rewarded_once),
        TEST(what_is_undone_costs_the_reward),
        TEST(an_episode_can_end_when_the_truth_is_met),
        TEST(the_budget_truncates),
        TEST(five_equal_actions_end_it),
        TEST(what_is_impossible_is_a_step_with_a_notice),
        TEST(unknown_names_are_errors),
        TEST(seeds_of_a_split_come_in_turn),
        TEST(the_same_actions_give_the_same_bytes),
        TEST(a_fork_goes_on_as_its_origin),
        TEST(a_fork_goes_on_as_a_replay),
        TEST(many_resets_and_forks_leave_nothing),
        TEST(an_episode_is_recorded_as_a_trajectory),
        TEST(needs_are_scored_without_a_truth),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
