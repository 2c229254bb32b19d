#include "tools/cli/run/task_page.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "tasks/task/action_set.h"
#include "tools/cli/terminal/text_table.h"

#define FIELDS_AT 14 /* the column of the values */
#define TEXT_MAX ((size_t)64 * 1024)
#define INSTRUCTION_MIN 24 /* columns; a narrow terminal breaks the lines */

/* ---- a line for each ---- */

static void put_row(struct text_table *table, const struct task *task,
                    const char *locale, size_t columns, bool unicode)
{
    char level[8] = "";
    char *instruction = text_page_cut(
        bilingual_text_in(&task->instruction, locale), columns, unicode);

    if (task->level)
        snprintf(level, sizeof(level), "L%d", task->level);
    text_table_cell(table, TEXT_STYLE_BOLD, task->id);
    text_table_cell(table, TEXT_STYLE_PLAIN, task_kind_name(task->kind));
    text_table_cell(table, TEXT_STYLE_PLAIN, level);
    text_table_cell(table, TEXT_STYLE_PLAIN,
                    task_difficulty_name(task->difficulty));
    text_table_cell(table, TEXT_STYLE_PLAIN, instruction);
    free(instruction);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

void task_page_list(struct text_page *page, const struct task *const *tasks,
                    size_t count, const char *locale)
{
    size_t widest = strlen("process  L1  medium  ") + 2;
    size_t ids = 0;
    size_t processes = 0;
    size_t left;
    struct text_table table;

    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(tasks[i]->id);

        ids = length > ids ? length : ids;
        processes += tasks[i]->kind == TASK_PROCESS;
    }
    left = page->width > widest + ids + INSTRUCTION_MIN
               ? page->width - widest - ids
               : INSTRUCTION_MIN;
    text_table_init(&table, 5);
    for (size_t i = 0; i < count; i++)
        put_row(&table, tasks[i], locale, left, page->unicode);
    text_table_write(&table, page);
    text_table_release(&table);
    text_page_printf(page, "%zu task%s: %zu judged by state, %zu by process\n",
                     count, plural(count), count - processes, processes);
}

/* ---- one in full ---- */

static void put_label(struct text_page *page, const char *label)
{
    text_page_add(page, TEXT_STYLE_DIM, label);
    text_page_pad(page, text_page_columns(label), FIELDS_AT);
}

/* "label         value, wrapped into lines" */
static void say(struct text_page *page, const char *label, const char *text)
{
    char *clean = clean_text_dup(text);

    put_label(page, label);
    text_page_wrap(page, FIELDS_AT, FIELDS_AT, clean);
    free(clean);
}

PRINTF_LIKE(3, 4)
static void say_printf(struct text_page *page, const char *label,
                       const char *fmt, ...)
{
    char text[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    say(page, label, text);
}

static void say_if(struct text_page *page, const char *label, const char *text)
{
    if (text)
        say(page, label, text);
}

static void say_phrasing(struct text_page *page, const char *label,
                         const struct bilingual_text *bilingual_text)
{
    const char *first = bilingual_text->any  ? bilingual_text->any
                        : bilingual_text->en ? bilingual_text->en
                                             : bilingual_text->zh;

    say_if(page, label, first);
    if (bilingual_text->en)
        say_if(page, "", bilingual_text->zh);
}

static void say_texts(struct text_page *page, const char *label,
                      const struct text_list *texts)
{
    struct buf all = BUF_INIT(TEXT_MAX);

    for (size_t i = 0; i < texts->count; i++)
        buf_printf(&all, "%s%s", i ? ", " : "", texts->items[i]);
    if (texts->count)
        say(page, label, buf_cstr(&all));
    buf_release(&all);
}

/* A piece of JSON, which stays in one: blanks in patterns count. */
static void say_json(struct text_page *page, const char *label,
                     struct cJSON *json)
{
    struct buf text = BUF_INIT(TEXT_MAX);

    json_format(json, &text);
    put_label(page, label);
    text_page_untrusted(page, TEXT_STYLE_PLAIN, buf_cstr(&text));
    text_page_add(page, TEXT_STYLE_PLAIN, "\n");
    buf_release(&text);
    cJSON_Delete(json);
}

static void say_needs(struct text_page *page, const struct task *task)
{
    char label[24];

    for (size_t i = 0; i < task->need_count; i++) {
        const struct task_need *need = &task->needs[i];

        snprintf(label, sizeof(label), "need %zu", i + 1);
        say_phrasing(page, label, &need->say);
        if (need->check)
            say_json(page, "", episode_check_to_json(need->check));
        if (need->after.count)
            say_texts(page, "  after", &need->after);
        if (need->undone_by)
            say_json(page, "  undone by",
                     episode_check_to_json(need->undone_by));
    }
    if (task->ordered)
        say(page, "", "in this order");
    for (size_t i = 0; i < task->checklist_count; i++) {
        say_phrasing(page, i ? "" : "checklist", &task->checklist[i].say);
        if (task->checklist[i].check)
            say_json(page, "", episode_check_to_json(task->checklist[i].check));
    }
    for (size_t i = 0; i < task->never_count; i++)
        say_json(page, "never", episode_check_to_json(&task->never[i]));
}

static void say_answer(struct text_page *page, const struct task_answer *answer)
{
    if (answer->kind == TASK_ANSWER_EXACT)
        say_texts(page, "answer", &answer->values);
    if (answer->kind == TASK_ANSWER_PATTERN)
        say(page, "answer", answer->pattern);
    if (answer->kind == TASK_ANSWER_NUMBER && answer->number_from)
        say_printf(page, "answer", "%s, +/- %g", answer->number_from,
                   answer->tolerance);
    else if (answer->kind == TASK_ANSWER_NUMBER)
        say_printf(page, "answer", "%g, +/- %g", answer->number,
                   answer->tolerance);
}

static void say_phone(struct text_page *page, const struct task *task)
{
    const struct task_requires *requires = &task->requires;

    say_printf(page, "reset", "%s%s%s", task_reset_name(task->reset),
               task->snapshot ? ": " : "",
               task->snapshot ? task->snapshot : "");
    for (size_t i = 0; i < task->set_up.count; i++)
        say(page, i ? "" : "set up", task->set_up.items[i]);
    say_if(page, "version", requires->version);
    say_if(page, "locale", requires->locale);
    say_texts(page, "permissions", &requires->permissions);
    if (requires->logged_in)
        say_json(page, "logged in", node_selector_to_json(requires->logged_in));
    for (size_t i = 0; i < task->probe_count; i++)
        say_printf(page, i ? "" : "probes", "%s%s: %s", task->probes[i].name,
                   task->probes[i].unchanged ? " (must not change)" : "",
                   task->probes[i].command);
}

static void say_gold(struct text_page *page, const struct task_gold *gold)
{
    struct cJSON *tree = task_gold_to_json(gold);
    const struct cJSON *steps =
        cJSON_IsArray(tree) ? tree
                            : cJSON_GetObjectItemCaseSensitive(tree, "steps");
    const struct cJSON *step = NULL;
    char label[24];
    int number = 1;

    cJSON_ArrayForEach(step, steps)
    {
        snprintf(label, sizeof(label), "gold %d", number++);
        say_json(page, label, cJSON_Duplicate(step, true));
    }
    say_if(page, "gold", gold->trajectory);
    cJSON_Delete(tree);
}

static void say_head(struct text_page *page, const struct task *task)
{
    text_page_untrusted(page, TEXT_STYLE_BOLD, task->id);
    text_page_printf(page, "  %s", task_kind_name(task->kind));
    if (task->level)
        text_page_printf(page, ", L%d", task->level);
    text_page_printf(page, ", %s", task_difficulty_name(task->difficulty));
    if (task->category) {
        text_page_add(page, TEXT_STYLE_PLAIN, ", ");
        text_page_untrusted(page, TEXT_STYLE_PLAIN, task->category);
    }
    text_page_add(page, TEXT_STYLE_PLAIN, "\n");
}

static void say_budget(struct text_page *page, const struct task *task)
{
    struct cJSON *actions = json_new_object();
    struct cJSON *set;

    say_printf(page, "budget", "%d step%s, %d seconds", task->steps,
               plural((size_t)task->steps), task->seconds);
    action_set_to_json(task->actions, actions, "set");
    set = cJSON_DetachItemFromObjectCaseSensitive(actions, "set");
    if (task->actions != ACTION_SET_DEFAULT)
        say_json(page, "actions", set);
    else
        cJSON_Delete(set);
    cJSON_Delete(actions);
}

void task_page_whole(struct text_page *page, const struct task *task)
{
    say_head(page, task);
    say_texts(page, task->apps.count > 1 ? "apps" : "app", &task->apps);
    say_phrasing(page, "instruction", &task->instruction);
    say_needs(page, task);
    say_answer(page, &task->answer);
    for (size_t i = 0; i < task->image_count; i++)
        say_printf(page, i ? "" : "images", "%s like %s",
                   task->images[i].file ? task->images[i].file
                                        : "the last screen",
                   task->images[i].reference);
    say_budget(page, task);
    say_phone(page, task);
    say_texts(page, "tags", &task->tags);
    say_if(page, "comment", task->comment);
    say_if(page, "truth", task->truth);
    say_texts(page, "facts", &task->facts);
    if (task->validated.date)
        say_printf(page, "validated", "%s%s%s%s%s", task->validated.date,
                   task->validated.device ? ", " : "",
                   task->validated.device ? task->validated.device : "",
                   task->validated.version ? ", version " : "",
                   task->validated.version ? task->validated.version : "");
    say_gold(page, &task->gold);
}
