/* The rules of an episode, checked in its recording. */
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
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"
#include "tests/tools/cli/run/run_inspect.h"

/* Run a script on one task, and load the recording. */
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

static void reply_without_an_action_is_asked_again_once(void **state)
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

static void budget_ending_counts_replies_without_an_action(void **state)
{
    struct trajectory read;

    (void)state;
    run_script("hm\nwell\noh\n", "useless", "--preset probench --steps 3",
               &read);
    assert_int_equal(read.ending, ENDING_BUDGET);
    assert_non_null(strstr(read.reason, "; 3 of 3 replies had no action: "));
    trajectory_release(&read);
}

static void probench_preset_does_not_ask_again_and_refuses_home(void **state)
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

static void five_equal_actions_end_the_episode(void **state)
{
    struct command_run run = {0};
    struct run_results results;

    (void)state;
    command_run_save("same", "while read -r line; do echo click 540 5; done");
    RUN(&run, 0,
        "proctor run phone --agent 'exec:sh same' --device phone --out same5 "
        "-t settings.dark");
    run_inspect_results("same5", 1, &results);
    assert_int_equal(results.items[0].ending, ENDING_REPEATED);
    assert_int_equal(results.items[0].steps, 5);
    run_results_release(&results);
    command_run_release(&run);
}

/* From the second on every tree fails: the last one is that of before. */
static void after_complete_no_second_tree_is_read(void **state)
{
    struct trajectory read;

    (void)state;
    run_script("complete\n", "one-tree", "--faults 'dump:skip=1,how=null-root'",
               &read);
    assert_int_equal(read.count, 2);
    assert_true(read.steps[1].seen && read.steps[1].tree.file[0]);
    trajectory_release(&read);
}

/* Search the settings for "dark", as a program that saves what it is asked. */
static void run_search(const char *name, const char *more,
                       struct trajectory *trajectory)
{
    struct command_run run = {0};
    char script[512];
    struct err err = ERR_INIT;

    command_run_save("search",
                     "i=0; while read -r line; do i=$((i+1));"
                     "printf '%s\\n' \"$line\" >> $1;"
                     "case $i in 1) echo click 540 385;;"
                     "2) echo '{\"action\":\"type\",\"text\":\"dark\"}';;"
                     "*) echo complete;; esac; done");
    snprintf(script, sizeof(script),
             "proctor run phone --agent \"exec:sh $PWD/search $PWD/%s.asked\" "
             "--device phone --out %s -t settings.dark %s",
             name, name, more);
    RUN(&run, 0, script);
    command_run_release(&run);
    snprintf(script, sizeof(script), "%s/episodes/settings.dark/0/0", name);
    if (!trajectory_load(script, trajectory, &err))
        fail_msg("%s", err.text);
}

static void text_that_does_not_arrive_is_a_doubt_and_a_notice(void **state)
{
    struct command_run run = {0};
    struct trajectory read;

    (void)state;
    run_search("swallowed", "--faults swallow", &read);
    assert_int_equal(read.steps[1].action.kind, ACTION_TYPE);
    assert_string_equal(
        read.steps[1].action_doubt,
        "the text did not arrive: the field shows 'Search settings'");
    trajectory_release(&read);
    run_search("cut-off", "--faults swallow:after=2", &read);
    assert_string_equal(read.steps[1].action_doubt,
                        "the text did not arrive: the field shows 'da'");
    trajectory_release(&read);
    RUN(&run, 0,
        "sed -n 3p swallowed.asked; sed -n 3p cut-off.asked;"
        "proctor judge swallowed > /dev/null;"
        "cat swallowed/episodes/settings.dark/0/0/verdict.*.json");
    SAYS(run.out, "\"notice\":\"the text did not arrive: the field shows "
                  "'Search settings'\"");
    SAYS(run.out,
         "\"notice\":\"the text did not arrive: the field shows 'da'\"");
    SAYS(run.out, "tried to type 'dark'");
    command_run_release(&run);
}

static void text_that_arrives_is_no_doubt(void **state)
{
    struct trajectory read;

    (void)state;
    run_search("arrived", "", &read);
    assert_int_equal(read.steps[1].action.kind, ACTION_TYPE);
    assert_null(read.steps[1].action_doubt);
    trajectory_release(&read);
}

/* From the fourth on every tree fails: three steps need only three. */
static void a_typed_text_costs_no_tree_of_its_own(void **state)
{
    struct trajectory read;

    (void)state;
    run_search("trees", "--faults 'dump:skip=3,how=null-root'", &read);
    assert_true(read.steps[2].tree.file[0]);
    assert_true(read.steps[3].tree.file[0]);
    trajectory_release(&read);
}

static void realtime_uses_the_computers_clock(void **state)
{
    struct command_run run = {0};
    struct trajectory read;

    (void)state;
    run_script("wait\ncomplete\n", "real", "--realtime", &read);
    assert_int_equal(read.ending, ENDING_COMPLETE);
    /* The wait of a second takes one. */
    assert_true(read.steps[1].seen_ms - read.steps[0].seen_ms >= 1000);
    trajectory_release(&read);
    RUN(&run, 0, "cat real/run.json");
    SAYS(run.out, "\"realtime\":true");
    command_run_release(&run);
}

/* A phone in another process is like a real one. */
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
        cmocka_unit_test(reply_without_an_action_is_asked_again_once),
        cmocka_unit_test(probench_preset_does_not_ask_again_and_refuses_home),
        cmocka_unit_test(an_element_is_named_by_its_number),
        cmocka_unit_test(five_equal_actions_end_the_episode),
        cmocka_unit_test(budget_ending_counts_replies_without_an_action),
        cmocka_unit_test(after_complete_no_second_tree_is_read),
        cmocka_unit_test(text_that_does_not_arrive_is_a_doubt_and_a_notice),
        cmocka_unit_test(text_that_arrives_is_no_doubt),
        cmocka_unit_test(a_typed_text_costs_no_tree_of_its_own),
        cmocka_unit_test(realtime_uses_the_computers_clock),
        cmocka_unit_test(
            on_somebodys_phone_the_guard_looks_and_chance_is_refused),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
