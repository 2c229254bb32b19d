/* The rules of an episode, seen in what is recorded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "tests/cli/command_run.h"
#include "tests/cli/run_look.h"
#include "tests/support/scratch.h"

/* Run a script on one task, and load what was recorded. */
static void run_script(const char *lines, const char *name, const char *more,
                       struct trajectory *trajectory)
{
    struct command_run run = {0};
    char script[512];
    struct err err = ERR_INIT;

    command_run_save("lines", lines);
    snprintf(script, sizeof(script),
             "proctor run phone --agent script:lines --device phone --out %s "
             "-t settings.dark %s",
             name, more);
    RUN(&run, 0, script);
    command_run_release(&run);
    snprintf(script, sizeof(script), "%s/episodes/settings.dark/0/0", name);
    if (!trajectory_load(script, trajectory, &err))
        fail_msg("%s", err.text);
}

static void a_reply_without_an_action_is_asked_for_again_once(void **state)
{
    struct trajectory read;

    (void)state;
    run_script("hm\nback\nwhat\nnow\n", "again", "", &read);
    assert_int_equal(read.count, 4); /* with complete, and the last screen */
    assert_int_equal(read.steps[0].replies, 2);
    assert_int_equal(read.steps[0].action.kind, ACTION_BACK);
    assert_int_equal(read.steps[0].block, BLOCK_NONE);
    assert_int_equal(read.steps[1].replies, 2);
    assert_int_equal(read.steps[1].action.kind, ACTION_WAIT);
    assert_int_equal(read.steps[1].block, BLOCK_REPLY);
    assert_int_equal(read.ending, ENDING_COMPLETE);
    assert_true(read.steps[3].seen && !read.steps[3].acted);
    trajectory_release(&read);
}

static void the_papers_preset_counts_it_at_once_and_refuses_home(void **state)
{
    struct trajectory read;

    (void)state;
    run_script("hm\nhome\nback\n", "paper", "--preset probench", &read);
    assert_int_equal(read.steps[0].replies, 1);
    assert_int_equal(read.steps[0].block, BLOCK_REPLY);
    assert_int_equal(read.steps[1].action.kind, ACTION_HOME);
    assert_int_equal(read.steps[1].block, BLOCK_SPACE);
    assert_int_equal(read.steps[2].block, BLOCK_NONE);
    for (size_t i = 0; i < read.count; i++)
        assert_true(read.steps[i].tree.file[0]);
    trajectory_release(&read);
}

static void an_element_is_named_by_its_number(void **state)
{
    struct trajectory read;

    (void)state;
    run_script("{\"action\":\"click\",\"index\":3}\n"
               "{\"action\":\"click\",\"index\":200}\nback\n",
               "marks", "--mode marks", &read);
    assert_true(read.steps[0].action.has_from);
    assert_int_equal(read.steps[0].action.index, 3);
    assert_int_equal(read.steps[1].replies, 2); /* there is no such element */
    trajectory_release(&read);
}

static void the_same_action_five_times_ends_it(void **state)
{
    struct command_run run = {0};
    struct results results;

    (void)state;
    command_run_save("same", "while read -r line; do echo click 540 5; done");
    RUN(&run, 0,
        "proctor run phone --agent 'exec:sh same' --device phone --out same5 "
        "-t settings.dark");
    run_look_results("same5", 1, &results);
    assert_int_equal(results.items[0].ending, ENDING_REPEATED);
    assert_int_equal(results.items[0].steps, 5);
    results_release(&results);
    command_run_release(&run);
}

/* A phone of its own program is as any that somebody plugs in. */
static void on_somebodys_phone_the_guard_looks_and_chance_is_refused(
    void **state)
{
    struct command_run run = {0};
    struct trajectory read;
    struct err err = ERR_INIT;

    (void)state;
    command_run_save("mine.json",
                     "[{\"id\": \"dark\", \"app\": \"com.android.settings\", "
                     "\"kind\": \"state\", \"instruction\": \"Dark\", "
                     "\"needs\": [\"It is dark\"]}]");
    command_run_save("lines", "{\"action\":\"open_app\",\"text\":\"Clock\"}\n"
                              "click 540 1200\nback\n");
    RUN(&run, 0,
        "proctor phone --port 0 > port & pid=$!; trap 'kill $pid' EXIT;"
        "await test -s port;"
        "d=127.0.0.1:$(cat port);"
        "proctor run mine.json --agent random:1 -s $d --out chance;"
        "test $? = 2 || exit 1;"
        "proctor run mine.json --agent script:lines -s $d --out mine");
    SAYS(run.errors, "--on-my-phone");
    if (!trajectory_load("mine/episodes/dark/0/0", &read, &err))
        fail_msg("%s", err.text);
    assert_int_equal(read.steps[1].block, BLOCK_GUARD);
    assert_int_equal(read.steps[2].block, BLOCK_NONE);
    assert_int_equal(read.ending, ENDING_COMPLETE);
    trajectory_release(&read);
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reply_without_an_action_is_asked_for_again_once),
        cmocka_unit_test(the_papers_preset_counts_it_at_once_and_refuses_home),
        cmocka_unit_test(an_element_is_named_by_its_number),
        cmocka_unit_test(the_same_action_five_times_ends_it),
        cmocka_unit_test(
            on_somebodys_phone_the_guard_looks_and_chance_is_refused),
    };

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
