/* proctor meter for people and programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/mem.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

#define METER "proctor meter --locale en --task settings.timeout --out m "

/* The row of all classes of one judge. */
static struct json row_of(const struct json *rows, const char *judge,
                          const char *checks, const char *converter)
{
    struct json row = JSON_NONE;
    struct err err;

    while (json_next(rows, &row)) {
        const char *texts[4] = {NULL};

        assert_true(json_get_string(&row, "judge", &texts[0], &err) &&
                    json_get_string(&row, "checks", &texts[1], &err) &&
                    json_get_string(&row, "converter", &texts[2], &err) &&
                    json_get_string(&row, "class", &texts[3], &err));
        if (!strcmp(texts[0], judge) && !strcmp(texts[1], checks) &&
            !strcmp(texts[2], converter) && !strcmp(texts[3], "all"))
            return row;
    }
    fail_msg("no row of %s, %s, %s", judge, checks, converter);
    return row;
}

static double number(const struct json *row, const char *name)
{
    struct err err;
    double number = 0;

    assert_true(json_get_number(row, name, &number, &err));
    return number;
}

/*
 * Six ways, the gold and one that does nothing: the rules are right about all
 * of them, and a judge that always says yes gets no pair.
 */
static void judges_are_compared_with_the_truth(void **state)
{
    struct command_run run = {0};
    struct cJSON *tree = NULL;
    struct json rows = JSON_NONE;
    struct json rules;
    struct json yes;
    struct err err;

    (void)state;
    RUN(&run, 0, METER "--json");
    assert_true(json_parse(buf_cstr(&run.out), run.out.length, &tree, &err));
    rows.value = tree;
    rules = row_of(&rows, "rules", "hand", "offline");
    assert_true(number(&rules, "n") == 8);
    assert_true(number(&rules, "pairs") >= 4);
    assert_true(number(&rules, "pair_accuracy") == 1);
    assert_true(number(&rules, "low") < 1);
    yes = row_of(&rows, "always yes", "none", "none");
    assert_true(number(&yes, "pair_accuracy") == 0);
    assert_true(number(&yes, "recall") == 1);
    (void)row_of(&rows, "rules", "proposed", "offline");
    (void)row_of(&rows, "rules", "hand", "plain");
    cJSON_Delete(tree);
    command_run_release(&run);
}

static void finished_runs_are_not_repeated(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, METER);
    SAYS(run.errors, "0 episodes so far");
    SAYS(run.out, "This measures judges on the built-in phone");
    SAYS(run.out, "last screen only");
    RUN(&run, 0, "proctor check m");
    command_run_release(&run);
}

/*
 * The truth of the gold is inverted, so that the judge is wrong about it: that
 * costs pairs, and does not remove them from the count.
 */
static void pairs_are_labelled_by_the_truth(void **state)
{
    struct command_run run = {0};
    struct cJSON *tree = NULL;
    struct json rows = JSON_NONE;
    struct json rules;
    struct err err;

    (void)state;
    RUN(&run, 0,
        "cp -r m turned && "
        "truth=$(find turned -path '*timeout.gold/*' -name truth.json) && "
        "sed -i 's/\"met\":true/\"met\":false/g' \"$truth\" && "
        "proctor meter --locale en --task settings.timeout --out turned "
        "--json");
    assert_true(json_parse(buf_cstr(&run.out), run.out.length, &tree, &err));
    rows.value = tree;
    rules = row_of(&rows, "rules", "hand", "offline");
    assert_true(number(&rules, "accuracy") < 1);
    assert_true(number(&rules, "pairs") >= 4);
    assert_true(number(&rules, "pair_accuracy") < 1);
    cJSON_Delete(tree);
    command_run_release(&run);
}

/* Without the truth the verdicts are the same, but nothing can be measured. */
static void no_judge_reads_the_truth(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "proctor judge m >/dev/null && "
        "sha256sum $(find m -name 'verdict.*' | sort) >with && "
        "find m -name 'verdict.*' -delete && "
        "find m -name truth.json -delete && "
        "proctor judge m >/dev/null && "
        "sha256sum $(find m -name 'verdict.*' | sort) | cmp - with && "
        "wc -l <with");
    SAYS(run.out, "9\n"); /* eight, and the random walk */
    RUN(&run, 2, METER);
    SAYS(run.errors, "truth.json");
    command_run_release(&run);
}

/* In "turned" the truth of the gold is inverted. */
static void a_judge_below_its_limit_fails(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        METER "--fail-under 100 --fail-under proposed=50 "
              "--fail-under recorded=50");
    SAYS(run.errors, "rules, hand checks: 100.0 % of");
    SAYS(run.errors, "rules, recorded checks: ");
    SAYS(run.errors, "at least 100.0 %");
    RUN(&run, 3,
        "proctor meter --locale en --task settings.timeout --out turned "
        "--fail-under hand=100");
    SAYS(run.errors, "under 100.0 %");
    RUN(&run, 3,
        "proctor meter --locale en --task settings.timeout --only random "
        "--fail-under 0");
    RUN(&run, 2, METER "--fail-under hands=99");
    SAYS(run.errors, "hands");
    RUN(&run, 2, METER "--fail-under 101");
    SAYS(run.errors, "--fail-under");
    command_run_release(&run);
}

/* The tasks that took part. */
#define SAMPLE_TASKS                                                           \
    "ls sample/*.random/episodes | sort >tasks; cat tasks; rm -r -- sample"

static void a_sample_has_other_tasks_for_another_number(void **state)
{
    struct command_run run = {0};
    char *first;

    (void)state;
#define SAMPLE "proctor meter --locale en --only random -o sample --sample "
    RUN(&run, 0, SAMPLE "2:4f7a >page && " SAMPLE_TASKS);
    first = mem_dup(buf_cstr(&run.out));
    RUN(&run, 0, "wc -l <tasks");
    SAYS(run.out, "2\n");
    RUN(&run, 0, SAMPLE "2:4f7a >page && " SAMPLE_TASKS);
    assert_string_equal(buf_cstr(&run.out), first);
    RUN(&run, 0, SAMPLE "2:4f7b >page && " SAMPLE_TASKS);
    assert_string_not_equal(buf_cstr(&run.out), first);
    RUN(&run, 2, SAMPLE "0");
    SAYS(run.errors, "--sample 0: expected how many tasks");
    RUN(&run, 2, SAMPLE "2:x");
    SAYS(run.errors, "--sample 2:x");
    RUN(&run, 2, SAMPLE "99999999999999999999");
    SAYS(run.errors, "--sample 9999");
#undef SAMPLE
    free(first);
    command_run_release(&run);
}

static void what_cannot_be_measured_is_reported(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "proctor meter --task settings.time");
    SAYS(run.errors, "settings.time");
    RUN(&run, 2, "proctor meter --only luk");
    SAYS(run.errors, "wrong_process");
    RUN(&run, 2, "proctor meter --seed x");
    SAYS(run.errors, "--seed");
    RUN(&run, 2,
        "echo '[{\"id\": \"a\", \"app\": \"a.b\", \"kind\": "
        "\"state\", \"instruction\": \"i\", \"needs\": [\"n\"]}]' "
        ">a.json && proctor meter --suite a.json");
    SAYS(run.errors, "truth");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_are_compared_with_the_truth),
        cmocka_unit_test(finished_runs_are_not_repeated),
        cmocka_unit_test(pairs_are_labelled_by_the_truth),
        cmocka_unit_test(a_judge_below_its_limit_fails),
        cmocka_unit_test(no_judge_reads_the_truth),
        cmocka_unit_test(a_sample_has_other_tasks_for_another_number),
        cmocka_unit_test(what_cannot_be_measured_is_reported),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
