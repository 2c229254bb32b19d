/* Reading judged runs from their folders. */
#include <math.h>
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
#include "base/mem.h"
#include "judge/report/judged_runs.h"
#include "tests/support/fake_run.h"

static char folder[] = "/tmp/proctor-ledger-XXXXXX";

static int make_runs(void **state)
{
    struct fake_run plan = {.folder = "a",
                            .id = "run-a",
                            .agent = "able",
                            .tasks = 2,
                            .repeats = 2,
                            .steps = 2,
                            .success = 100,
                            .no_screen = true,
                            .seed = 1};

    (void)state;
    if (!mkdtemp(folder) || chdir(folder))
        return -1;
    fake_run_write(&plan);
    return 0;
}

static bool parse(struct judged_runs *judged, const char *text, struct err *err)
{
    return judged_runs_parse_results(judged, 0, text, strlen(text), err);
}

#define LINE(task_, attempt_, ending_)                                         \
    "{\"task\":\"" task_ "\",\"repeat\":0,\"attempt\":" attempt_               \
    ",\"episode\":\"episodes/x\",\"ending\":\"" ending_ "\"}\n"

static void last_attempt_that_is_not_void_counts(void **state)
{
    struct judged_runs judged = JUDGED_RUNS_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(parse(&judged,
                      LINE("a", "0", "void") LINE("a", "1", "complete")
                          LINE("a", "2", "void") LINE("b", "1", "void")
                              LINE("b", "0", "void"),
                      &err));
    assert_int_equal(judged.count, 5);
    assert_false(judged.entries[0].counts);
    assert_true(judged.entries[1].counts);
    assert_false(judged.entries[2].counts);
    assert_true(judged.entries[3].counts);
    assert_false(judged.entries[4].counts);
    assert_true(isnan(judged.entries[0].cost));
    judged_runs_release(&judged);
}

static void a_torn_last_line_is_dropped(void **state)
{
    struct judged_runs judged = JUDGED_RUNS_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(
        parse(&judged, LINE("a", "0", "complete") "{\"task\":\"b", &err));
    assert_int_equal(judged.count, 1);
    judged_runs_release(&judged);
}

static void error_has_file_and_line(void **state)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {LINE("a", "0", "complete") "[]\n", "line 2"},
        {LINE("a", "-1", "complete"), "attempt"},
        {LINE("a", "0", "somehow"), "ending: there is no \"somehow\""},
        {"{\"task\":\"a\",\"ending\":\"void\"}\n", "episode"},
        {"{\"task\":\"a\",\"episode\":\"/etc\",\"ending\":\"void\"}\n",
         "below the run's"},
        {"{\"task\":\"a\",\"episode\":\"x/../../y\",\"ending\":\"void\"}\n",
         "below the run's"},
        {"{\"task\":\"a\",\"episode\":\"..\",\"ending\":\"void\"}\n",
         "below the run's"},
        {"{\"task\":\"a\",\"episode\":\"x\",\"ending\":\"void\",\"cost\":"
         "\"much\"}\n",
         "cost"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct judged_runs judged = JUDGED_RUNS_INIT;
        struct err err = ERR_INIT;

        assert_false(parse(&judged, cases[i].text, &err));
        if (!strstr(err.text, cases[i].says))
            fail_msg("%zu: %s", i, err.text);
        assert_int_equal(judged.count, 0);
        judged_runs_release(&judged);
    }
}

static void run_is_read_with_its_tasks_and_verdicts(void **state)
{
    struct judged_runs judged = JUDGED_RUNS_INIT;
    const struct judged_attempt *entry;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(judged_runs_add(&judged, "a", NULL, &err));
    assert_int_equal(judged.run_count, 1);
    assert_string_equal(judged.runs[0].id, "run-a");
    assert_int_equal(judged.runs[0].judge_count, 1);
    assert_int_equal(judged.runs[0].judges[0].verdicts, 4);
    assert_int_equal(judged.count, 4);
    entry = &judged.entries[2]; /* of the second task, in Chinese */
    assert_string_equal(entry->task, "task-001");
    assert_int_equal(entry->kind, TASK_PROCESS);
    assert_string_equal(entry->app, "com.example.trips");
    assert_string_equal(entry->category, "travel");
    assert_int_equal(entry->level, 2);
    assert_string_equal(entry->locale, "zh-CN");
    assert_string_equal(entry->instruction,
                        "Find running shoes and sort them by price");
    assert_false(entry->builtin);
    assert_true(entry->judged);
    assert_int_equal(entry->verdict.outcome, OUTCOME_SUCCESS);
    assert_int_equal(entry->verdict.met, 2);
    judged_runs_release(&judged);
}

/* Add another judge's verdict on one episode: failure. */
static void add_judge(const char *name, const char *episode)
{
    struct verdict verdict = VERDICT_INIT;
    struct err err;

    verdict_sign(&verdict, name, "{}");
    verdict.outcome = OUTCOME_FAILURE;
    assert_true(verdict_save(&verdict, episode, &err));
    verdict_release(&verdict);
}

static void judge_with_most_verdicts_is_used(void **state)
{
    struct judged_runs judged = JUDGED_RUNS_INIT;
    struct err err = ERR_INIT;
    char *full;

    (void)state;
    add_judge("other", "a/episodes/task-000/0/0");
    assert_true(judged_runs_add(&judged, "a", NULL, &err));
    assert_int_equal(judged.runs[0].judge_count, 2);
    assert_string_equal(judged.runs[0].judges[0].name, "rules");
    assert_int_equal(judged.entries[0].verdict.outcome, OUTCOME_SUCCESS);
    judged_runs_release(&judged);

    assert_true(judged_runs_add(&judged, "a", "other", &err));
    assert_string_equal(judged.runs[0].judges[0].name, "other");
    assert_int_equal(judged.entries[0].verdict.outcome, OUTCOME_FAILURE);
    assert_false(judged.entries[1].judged);
    assert_int_equal(judged.entries[1].verdict.outcome, OUTCOME_UNSCORED);
    full = mem_new(64, 1);
    snprintf(full, 64, "other-%s", judged.runs[0].judges[0].hash);
    judged_runs_release(&judged);

    assert_true(judged_runs_add(&judged, "a", full, &err));
    assert_string_equal(judged.runs[0].judges[0].name, "other");
    judged_runs_release(&judged);
    free(full);

    assert_false(judged_runs_add(&judged, "a", "oth", &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_int_equal(judged.run_count, 0);
    assert_int_equal(judged.count, 0);
    judged_runs_release(&judged);
}

/* A phone that the run does not list is not counted as a real one. */
static void unlisted_phones_of_a_built_in_run_are_built_in(void **state)
{
    static const char run[] =
        "{\"id\":\"a\",\"devices\":[{\"serial\":\"other\",\"builtin\":true}]}";
    struct judged_runs judged = JUDGED_RUNS_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(file_save("a/run.json", 0666, run, strlen(run), &err));
    assert_true(judged_runs_add(&judged, "a", "rules", &err));
    assert_true(judged.entries[0].builtin);
    judged_runs_release(&judged);
}

static void unreadable_run_leaves_the_list_unchanged(void **state)
{
    struct judged_runs judged = JUDGED_RUNS_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(judged_runs_add(&judged, "a", "rules", &err));
    assert_false(judged_runs_add(&judged, "b", NULL, &err));
    assert_non_null(strstr(err.text, "b/run.json"));
    assert_int_equal(judged.run_count, 1);
    assert_int_equal(judged.count, 4);
    judged_runs_release(&judged);
}

static void break_file(const char *path)
{
    struct err err;

    assert_true(file_save(path, 0666, "{\"", 2, &err));
}

/* Two episodes of one task, each read from its own file. */
static void unreadable_episode_is_unscored(void **state)
{
    struct judged_runs judged = JUDGED_RUNS_INIT;
    struct err err = ERR_INIT;
    size_t damaged = 0;

    (void)state;
    break_file("a/episodes/task-001/0/0/task.json");
    assert_true(judged_runs_add(&judged, "a", "rules", &err));
    for (size_t i = 0; i < judged.count; i++) {
        const struct judged_attempt *entry = &judged.entries[i];
        bool broken = !strcmp(entry->folder, "episodes/task-001/0/0");

        damaged += broken;
        assert_int_equal(entry->damage != NULL, broken);
        assert_int_equal(entry->judged, !broken);
        if (broken) {
            assert_int_equal(entry->verdict.outcome, OUTCOME_UNSCORED);
            assert_non_null(strstr(entry->damage, "task.json"));
        }
    }
    assert_int_equal(damaged, 1);
    judged_runs_release(&judged);
}

static int remove_runs(void **state)
{
    (void)state;
    fake_run_remove(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_attempt_that_is_not_void_counts),
        cmocka_unit_test(a_torn_last_line_is_dropped),
        cmocka_unit_test(error_has_file_and_line),
        cmocka_unit_test(run_is_read_with_its_tasks_and_verdicts),
        cmocka_unit_test(judge_with_most_verdicts_is_used),
        cmocka_unit_test(unlisted_phones_of_a_built_in_run_are_built_in),
        cmocka_unit_test(unreadable_run_leaves_the_list_unchanged),
        cmocka_unit_test(unreadable_episode_is_unscored),
    };

    return cmocka_run_group_tests(tests, make_runs, remove_runs);
}
