/*
 * Gold that was recorded on skin 0, in English, is replayed on other skins,
 * sizes and in the other language. The truth of the built-in phone says whether
 * the end is right: a replay that reaches its end elsewhere is silently wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/macros.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

#define COMMAND_MAX 300
#define RIGHT_PER_CENT 95

static const char *const tasks[] = {
    "settings.dark",   "settings.timeout",   "settings.airplane",
    "settings.wifi",   "settings.developer", "clock.alarm",
    "clock.timer",     "clock.stopwatch",    "clock.city",
    "errands.share",   "calculator.history", "shop.cheapest",
    "shop.bestseller", "shop.cart",          "shop.order",
    "shop.review",     "eats.nearest",       "eats.order",
    "eats.review",     "errands.delivery",
};

static const char *const variants[] = {
    "--skin 1",         "--skin 2",         "--skin 3",   "--skin 4",
    "--size 1080x1920", "--size 1440x2560", "--locale zh"};

/* What is replayed without PROCTOR_FULL: each kind of change once. */
static const struct {
    const char *task;
    const char *variant;
} few[] = {
    {"settings.dark", "--skin 2"},
    {"shop.order", "--locale zh"},
    {"settings.dark", "--size 1080x1920"},
};

/* What became of the replays. */
struct skin_tally {
    int right;   /* done, as the truth wants */
    int stopped; /* with a reason */
    int wrong;   /* done, but the truth is another */
};

static int record(void **state)
{
    struct command_run run = {0};

    if (scratch_folder_enter(state))
        return -1;
    RUN(&run, 0,
        getenv("PROCTOR_FULL")
            ? "proctor run phone --agent gold --device phone --out gold "
              "--seed 1 --locale en"
            : "proctor run phone --agent gold --device phone --out gold "
              "--seed 1 --locale en -t settings.dark -t shop.order");
    command_run_release(&run);
    return 0;
}

/* The only pass of `proctor replay --json`; the caller deletes *tree. */
static struct json read_pass(const struct command_run *run, struct cJSON **tree)
{
    struct json root = JSON_NONE, passes = JSON_NONE, pass = JSON_NONE;
    struct err err = ERR_INIT;

    if (!json_parse(buf_cstr(&run->out), run->out.length, tree, &err))
        fail_msg("%s: %s", err.text, buf_cstr(&run->errors));
    root.value = *tree;
    assert_true(json_get_array(&root, "passes", &passes, &err));
    assert_true(json_next(&passes, &pass));
    return pass;
}

static void check_steps(const struct json *pass)
{
    struct json steps = JSON_NONE, step = JSON_NONE;
    struct err err = ERR_INIT;
    double confidence = 1;

    assert_true(json_get_array(pass, "done_steps", &steps, &err));
    while (json_next(&steps, &step)) {
        assert_true(json_opt_number(&step, "confidence", &confidence, &err));
        assert_true(confidence >= 0 && confidence <= 1);
    }
}

static void replay(const char *task, const char *variant,
                   struct skin_tally *tally)
{
    struct command_run run = {0};
    struct cJSON *tree = NULL;
    struct json pass;
    struct err err = ERR_INIT;
    const char *why = "";
    bool done = false, truth = false;
    char command[COMMAND_MAX];

    snprintf(command, sizeof(command),
             "proctor replay gold/episodes/%s/0/0 %s --json || true", task,
             variant);
    RUN(&run, 0, command);
    pass = read_pass(&run, &tree);
    assert_true(json_get_bool(&pass, "done", &done, &err));
    assert_true(json_opt_bool(&pass, "truth", &truth, &err));
    assert_true(json_opt_string(&pass, "why", &why, &err));
    check_steps(&pass);
    tally->right += done && truth;
    tally->wrong += done && !truth;
    tally->stopped += !done;
    if (!done || !truth)
        print_message("%s %s: %s\n", task, variant, done ? "WRONG" : why);
    assert_true(done || *why);
    cJSON_Delete(tree);
    command_run_release(&run);
}

static void other_skins_sizes_and_languages_end_as_the_truth_wants(void **state)
{
    struct skin_tally tally = {0};
    int all;

    (void)state;
    if (getenv("PROCTOR_FULL")) {
        for (size_t i = 0; i < ARRAY_LEN(tasks) * ARRAY_LEN(variants); i++)
            replay(tasks[i / ARRAY_LEN(variants)],
                   variants[i % ARRAY_LEN(variants)], &tally);
    } else {
        for (size_t i = 0; i < ARRAY_LEN(few); i++)
            replay(few[i].task, few[i].variant, &tally);
    }
    all = tally.right + tally.stopped + tally.wrong;
    print_message("%d of %d as the truth wants, %d stopped, %d silently "
                  "wrong\n",
                  tally.right, all, tally.stopped, tally.wrong);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.right * 100 >= all * RIGHT_PER_CENT);
}

/* The phone is not as recorded: the dark theme is on, and would be left. */
static void other_state_stops_a_replay(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "sed -i 's/\"reset\": \"snapshot\",/&\"set_up\":[\"settings put secure "
        "ui_night_mode 2\"],/' gold/suite.json; grep -q ui_night_mode.2 "
        "gold/suite.json");
    RUN(&run, 1,
        "proctor replay gold/episodes/settings.dark/0/0 -o other.png --json");
    SAYS(run.out, "\"stopped_by\":\"state\"");
    SAYS(run.out, "is not on as recorded");
    RUN(&run, 0, "test -s other.png");
    command_run_release(&run);
}

static void known_popups_are_dismissed_in_a_replay(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "proctor replay gold/episodes/shop.order/0/0 --json "
        "--faults 'popup:service=exec:screencap,skip=4,times=1'");
    SAYS(run.out, "\"popups\":1");
    SAYS(run.out, "\"truth\":true");
    RUN(&run, 0, "echo '[]' >none.json");
    RUN(&run, 1,
        "proctor replay gold/episodes/shop.order/0/0 --popups none.json "
        "--faults 'popup:service=exec:screencap,skip=4,times=1'");
    SAYS(run.out, "stopped");
    RUN(&run, 2,
        "echo '[{\"name\": \"a\"}]' >none.json; proctor replay "
        "gold/episodes/shop.order/0/0 --popups none.json");
    SAYS(run.errors, "shows");
    RUN(&run, 2, "proctor replay gold/episodes/shop.order/0/0 --size 10x");
    SAYS(run.errors, "WIDTHxHEIGHT");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests_table[] = {
        cmocka_unit_test(
            other_skins_sizes_and_languages_end_as_the_truth_wants),
        cmocka_unit_test(known_popups_are_dismissed_in_a_replay),
        cmocka_unit_test(other_state_stops_a_replay),
    };

    return cmocka_run_group_tests(tests_table, record, scratch_folder_leave);
}
