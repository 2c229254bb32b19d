/* proctor zoo for people and programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

#define ZOO "proctor zoo phone --locale en --sample 6 --out z"

static struct json member(const struct json *object, const char *name)
{
    struct json array = JSON_NONE;
    struct err err;

    assert_true(json_get_array(object, name, &array, &err));
    return array;
}

static double figure(const struct json *row, const char *name)
{
    struct err err;
    double number = -1;

    assert_true(json_get_number(row, name, &number, &err));
    return number;
}

/* A figure of one policy, and its place in the ranking. */
static double of_policy(const struct json *root, const char *policy,
                        const char *name, int *place)
{
    struct json rows = member(root, "policies");
    struct json row = JSON_NONE;
    struct err err;

    for (*place = 0; json_next(&rows, &row); ++*place) {
        const char *found = NULL;

        assert_true(json_get_string(&row, "policy", &found, &err));
        if (!strcmp(found, policy))
            return figure(&row, name);
    }
    fail_msg("no policy %s", policy);
    return -1;
}

static void policies_rank_as_they_are_made(void **state)
{
    struct command_run run = {0};
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    struct err err;
    int place, other;

    (void)state;
    RUN(&run, 0, ZOO " --json");
    assert_true(json_parse(buf_cstr(&run.out), run.out.length, &tree, &err));
    root.value = tree;
    assert_true(of_policy(&root, "gold", "success", &place) == 1);
    assert_true(of_policy(&root, "gold", "clauses_met", &place) == 1);
    assert_true(of_policy(&root, "gold", "low", &place) > 0.5);
    assert_true(of_policy(&root, "nothing", "success", &place) == 0);
    assert_true(of_policy(&root, "random", "success", &place) == 0);
    assert_true(of_policy(&root, "never-done", "success", &place) == 0);
    assert_true(of_policy(&root, "never-done", "clauses_met", &place) > 0.7);
    assert_true(of_policy(&root, "forgets", "process", &place) == 0);
    assert_true(of_policy(&root, "halfway", "success", &place) <
                of_policy(&root, "gold", "success", &other));
    assert_true(of_policy(&root, "slips-40", "clauses_met", &place) <
                of_policy(&root, "slips-5", "clauses_met", &other));
    assert_true(other < place);
    cJSON_Delete(tree);
    command_run_release(&run);
}

static void tasks_tell_gold_from_nothing(void **state)
{
    struct command_run run = {0};
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    struct json rows;
    struct json row = JSON_NONE;
    struct err err;
    double before = -1;
    size_t count = 0;

    (void)state;
    RUN(&run, 0, ZOO " --json");
    assert_true(json_parse(buf_cstr(&run.out), run.out.length, &tree, &err));
    root.value = tree;
    rows = member(&root, "tasks");
    for (; json_next(&rows, &row); count++) {
        double discrimination = figure(&row, "discrimination");

        assert_true(discrimination > 0.2 && discrimination <= 1);
        assert_true(discrimination >= before);
        assert_true(figure(&row, "success") > 0 && figure(&row, "success") < 1);
        before = discrimination;
    }
    assert_int_equal(count, 6);
    cJSON_Delete(tree);
    RUN(&run, 0, ZOO);
    SAYS(run.out, "policy");
    SAYS(run.out, "0 of 6 tasks tell nothing apart");
    command_run_release(&run);
}

#define ALONE "proctor zoo phone --locale en --task settings.timeout --out z"

/* There are no other tasks to compare with. */
static void task_alone_tells_nothing_apart(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, ALONE);
    SAYS(run.out, "1 of 1 tasks tells nothing apart");
    command_run_release(&run);
}

/* Also one that was tried as often as a run tries it. */
static void void_task_is_repeated_in_the_same_folder(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, ALONE);
    RUN(&run, 0,
        "cd z/seed-1.skin-0.en.nothing/episodes/settings.timeout/0 && "
        "sed -i 's/\"ending\":\"complete\"/\"ending\":\"void\"/' "
        "0/events.jsonl && for i in 1 2; do cp -r 0 $i && "
        "sed -i \"1s/\\\"attempt\\\":0/\\\"attempt\\\":$i/\" "
        "$i/events.jsonl; done");
    RUN(&run, 0, ALONE);
    RUN(&run, 0,
        "grep complete z/seed-1.skin-0.en.nothing/episodes/settings.timeout/0/"
        "3/events.jsonl");
    command_run_release(&run);
}

static void folder_that_another_process_uses_is_refused(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1,
        "mkdir -p used/seed-1.skin-0.en.gold && "
        "flock used/seed-1.skin-0.en.gold/.lock proctor zoo phone --locale en "
        "--task settings.timeout --out used");
    SAYS(run.errors, "the run used/seed-1.skin-0.en.gold is used by another "
                     "proctor");
    RUN(&run, 1, "test -e used/seed-1.skin-0.en.gold/run.json");
    command_run_release(&run);
}

static void mistakes_are_reported_before_anything_runs(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "proctor zoo no-such-suite");
    RUN(&run, 2, "proctor zoo phone --sample some");
    SAYS(run.errors, "--sample some");
    RUN(&run, 2, "proctor zoo no-such-suite --phones 0");
    SAYS(run.errors, "--phones 0");
    RUN(&run, 2, "proctor zoo phone --task settings.drak");
    SAYS(run.errors, "settings.dark");
    command_run_save("plain.json",
                     "[{\"id\": \"a\", \"app\": \"com.a\", \"kind\": "
                     "\"state\", \"instruction\": \"Go\", \"needs\": "
                     "[\"It is there\"]}]");
    RUN(&run, 2, "proctor zoo plain.json");
    SAYS(run.errors, "no task of plain has both gold and a truth");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_rank_as_they_are_made),
        cmocka_unit_test(tasks_tell_gold_from_nothing),
        cmocka_unit_test(task_alone_tells_nothing_apart),
        cmocka_unit_test(void_task_is_repeated_in_the_same_folder),
        cmocka_unit_test(folder_that_another_process_uses_is_refused),
        cmocka_unit_test(mistakes_are_reported_before_anything_runs),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
