/*
 * The checklist on non-destructive editing: what the judge makes of the history
 * of layers is what the truth sees in the layers, and the report shows it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_write.h"
#include "tasks/task/task.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

#define TASK "darkroom.retouched"

/* Taps that change the pixels of the photo, which nothing can undo. */
static const char *const worst[] = {
    "tool heal",
    "heal {row} {column}",
    "cancel",
    "tool adjust",
    "apply",
    "tool effects",
    "apply",
    "tool cutout",
    "apply",
    "tool size",
    "amount scale 50",
    "apply",
    "export",
    "save",
    NULL,
};

/* One of the six. */
static const char *const burned[] = {
    "layers", "layer_menu 1", "duplicate", "back", "tool adjust",
    "apply",  "export",       "save",      NULL,
};

static const char *const not_exported[] = {"layers", NULL};

static struct cJSON *load(const char *path)
{
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    struct cJSON *tree = NULL;
    struct err err = ERR_INIT;

    if (!file_load(path, &text, &err) ||
        !json_parse(buf_cstr(&text), text.length, &tree, &err))
        fail_msg("%s", err.text);
    buf_release(&text);
    return tree;
}

static void add_step(struct cJSON *gold, const char *call)
{
    struct cJSON *step = json_add_object(gold, NULL);
    struct buf text = BUF_INIT(100);

    buf_printf(&text, "darkroom.%s", call);
    if (!strcmp(call, "back") || !strcmp(call, "complete")) {
        json_add_string(step, "do", call);
    } else {
        json_add_string(step, "do", "click");
        json_add_string(json_add_object(step, "at"), "call", buf_cstr(&text));
    }
    buf_release(&text);
}

static struct cJSON *new_gold(const char *const *calls)
{
    struct cJSON *gold = json_new_array();

    add_step(gold, "open {id}");
    add_step(gold, "close_news");
    for (; *calls; calls++)
        add_step(gold, *calls);
    add_step(gold, "complete");
    return gold;
}

/* The suite of the editor, with other steps as the gold of the task. */
static void save_suite(const char *const *calls)
{
    struct cJSON *suite = load(SUITES_FOLDER "/world/darkroom.json");
    struct cJSON *task;
    char *text;

    cJSON_ArrayForEach(task, cJSON_GetObjectItemCaseSensitive(suite, "tasks"))
    {
        const char *id =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(task, "id"));

        if (!strcmp(id, TASK))
            cJSON_ReplaceItemInObjectCaseSensitive(task, "gold",
                                                   new_gold(calls));
    }
    text = cJSON_PrintUnformatted(suite);
    command_run_save("edited.json", text);
    cJSON_free(text);
    cJSON_Delete(suite);
}

/* Bit i: question i is met. */
static unsigned answers_of(struct command_run *run, const char *script)
{
    struct cJSON *tree;
    const struct cJSON *question;
    unsigned answers = 0;
    unsigned bit = 1;

    RUN(run, 0, script);
    tree = cJSON_Parse(buf_cstr(&run->out));
    cJSON_ArrayForEach(question,
                       cJSON_GetObjectItemCaseSensitive(tree, "checklist"))
    {
        if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(question, "met")))
            answers |= bit;
        bit <<= 1U;
    }
    cJSON_Delete(tree);
    assert_int_equal(bit, 1U << 6U);
    return answers;
}

/* Judge and truth give these answers, and the judge prints the score. */
static void expect(const char *suite, const char *score, unsigned answers)
{
    struct command_run run = {0};
    struct buf script = BUF_INIT(1000);

    buf_printf(&script,
               "rm -rf r && proctor run %s -t " TASK " --agent gold --device "
               "phone --seed 3 --locale en -o r >run.log && proctor judge r",
               suite);
    RUN(&run, 0, buf_cstr(&script));
    SAYS(run.out, score);
    assert_int_equal(
        answers_of(&run, "cat r/episodes/" TASK "/0/0/verdict.rules-*.json"),
        answers);
    assert_int_equal(answers_of(&run, "cat r/episodes/" TASK "/0/0/truth.json"),
                     answers);
    RUN(&run, 0, "proctor report r");
    SAYS(run.out, "Checklist");
    command_run_release(&run);
    buf_release(&script);
}

static void gold_scores_six_of_six(void **state)
{
    (void)state;
    expect("world", "checklist 6/6", 0x3f);
}

static void destructive_edits_score_nothing(void **state)
{
    (void)state;
    save_suite(worst);
    expect("edited.json", "checklist 0/6", 0);
}

/* Smart objects, masks, filters, -, duplicate layers, blank layers. */
static void one_burned_adjustment_fails_one_question(void **state)
{
    (void)state;
    save_suite(burned);
    expect("edited.json", "checklist 5/6", 0x37);
}

static void nothing_exported_scores_nothing(void **state)
{
    (void)state;
    save_suite(not_exported);
    expect("edited.json", "checklist 0/6", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gold_scores_six_of_six),
        cmocka_unit_test(destructive_edits_score_nothing),
        cmocka_unit_test(one_burned_adjustment_fails_one_question),
        cmocka_unit_test(nothing_exported_scores_nothing),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
