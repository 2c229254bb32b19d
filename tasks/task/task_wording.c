#include "tasks/task/task_wording.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/nearest_word.h"
#include "tasks/task/suite_files.h"
#include "tasks/task/task_private.h"
#include "tasks/task/task_rules.h"
#include "tasks/task/task_struct_json.h"

/* ---- placeholders ---- */

/*
 * The next placeholder from text on, without the format of a date: that may
 * differ. NULL: there is none.
 */
static const char *next_placeholder(const char *text, size_t *length)
{
    while ((text = strchr(text, '{'))) {
        if (text[1] != '{') {
            *length = strcspn(text, ":}");
            return text;
        }
        text += 2;
    }
    return NULL;
}

static bool has_placeholder(const char *text, const char *wanted,
                            size_t wanted_length)
{
    size_t length = 0;

    while ((text = next_placeholder(text, &length))) {
        if (length == wanted_length && !strncmp(text, wanted, length))
            return true;
        text += length;
    }
    return false;
}

/* Does other have every placeholder of text? */
static bool check_placeholders(const char *text, const char *other,
                               const char *what, struct err *err)
{
    size_t length = 0;

    while ((text = next_placeholder(text, &length))) {
        if (!has_placeholder(other, text, length))
            return err_set(err, ERR_INVALID, "%.*s} is %s", (int)length, text,
                           what);
        text += length;
    }
    return true;
}

static bool check_language(const char *instruction, const char *say,
                           const char *language, struct err *err)
{
    if (!instruction && !say)
        return true;
    if (!say)
        return err_set(err, ERR_INVALID, "the text %s is missing", language);
    if (!instruction)
        return err_set(err, ERR_INVALID, "the instruction has no text %s",
                       language);
    return check_placeholders(instruction, say,
                              "in the instruction, but not here", err) &&
           check_placeholders(say, instruction, "not in the instruction", err);
}

/* ---- one wording ---- */

static const struct json_member members[] = {
    {"style", NAME_AT(struct task_wording, style, wording_style_names),
     .needed = true},
    {"say", BILINGUAL_TEXT_AT(struct task_wording, say),
     .rule = &task_rule_plain, .needed = true},
};

static const struct struct_json wording_struct_json = {
    .size = sizeof(struct task_wording),
    .members = members,
    .count = ARRAY_LEN(members),
};

/* Can each be filled in? Those of the task can. */
static bool check_filling(const struct task_wording *wording, struct err *err)
{
    struct task asked = *wording->task;

    asked.instruction = wording->say;
    return task_validate_placeholders(&asked, err);
}

/* As a task, it is named "TASK.STYLE". */
static bool check_id(const struct task_wording *wording, struct err *err)
{
    size_t length = strlen(wording->task->id) + strlen(".") +
                    strlen(wording_style_names[wording->style]);

    return length <= TASK_ID_MAX ||
           err_set(err, ERR_INVALID,
                   "the task's id is %zu bytes too long to be followed by the "
                   "style",
                   length - TASK_ID_MAX);
}

static bool check_wording(const struct task_wording *wording,
                          const struct task_wordings *wordings, struct err *err)
{
    const struct bilingual_text *text = &wording->task->instruction;

    for (size_t i = 0; i < wordings->count; i++) {
        const struct task_wording *other = &wordings->items[i];

        if (other->task == wording->task && other->style == wording->style)
            return err_set(err, ERR_INVALID, "there are two of this style");
    }
    return check_id(wording, err) &&
           check_language(text->any, wording->say.any, "for any language",
                          err) &&
           check_language(text->en, wording->say.en, "in English", err) &&
           check_language(text->zh, wording->say.zh, "in Chinese", err) &&
           check_filling(wording, err);
}

static bool read_wording(const struct json *json, const struct task *task,
                         struct task_wordings *wordings, struct err *err)
{
    struct task_wording wording;

    if (!struct_json_read(&wording_struct_json, json, &wording, err))
        return false;
    wording.task = task;
    if (!check_wording(&wording, wordings, err)) {
        err_wrap(err, "task \"%s\", %s", task->id,
                 wording_style_names[wording.style]);
        struct_json_release(&wording_struct_json, &wording);
        return false;
    }
    wordings->items = mem_resize(wordings->items, wordings->count + 1,
                                 sizeof(*wordings->items));
    wordings->items[wordings->count++] = wording;
    return true;
}

/* ---- those of a file, and all ---- */

static bool read_task(const struct json *json, const struct suite *suite,
                      struct task_wordings *wordings, struct err *err)
{
    struct json list = JSON_NONE;
    struct json item = JSON_NONE;
    const struct task *task;
    const char *id = NULL;

    if (!json_as_object(json, err) || !json_get_string(json, "task", &id, err))
        return false;
    task = suite_find(suite, id);
    if (!task)
        return json_fail(json, err, "the suite has no task \"%.60s\"", id);
    if (!json_get_array(json, "wordings", &list, err))
        return false;
    while (json_next(&list, &item)) {
        if (!read_wording(&item, task, wordings, err))
            return false;
    }
    return true;
}

static bool read_all(const struct json *root, const struct suite *suite,
                     struct task_wordings *wordings, struct err *err)
{
    struct json item = JSON_NONE;

    if (!json_as_array(root, err))
        return false;
    while (json_next(root, &item)) {
        if (!read_task(&item, suite, wordings, err))
            return false;
    }
    return true;
}

/* Add those of one file, or some of them when it fails. */
static bool add_text(const char *text, size_t length, const char *path,
                     const struct suite *suite, struct task_wordings *wordings,
                     struct err *err)
{
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    bool done = json_parse(text, length, &tree, err);

    root.value = tree;
    done = done && read_all(&root, suite, wordings, err);
    cJSON_Delete(tree);
    return done || err_wrap(err, "%.80s", path);
}

bool task_wordings_parse(const char *text, size_t length, const char *path,
                         const struct suite *suite,
                         struct task_wordings *wordings, struct err *err)
{
    struct task_wordings read = {.count = 0};

    if (!add_text(text, length, path, suite, &read, err)) {
        task_wordings_release(&read);
        return false;
    }
    *wordings = read;
    return true;
}

struct wordings_loading {
    const struct suite *suite;
    struct task_wordings wordings; /* so far */
};

/* Add the wordings of one file to the context. */
static bool read_file(void *context, const struct buf *text, const char *path,
                      struct err *err)
{
    struct wordings_loading *loading = context;

    return add_text(buf_cstr(text), text->length, path, loading->suite,
                    &loading->wordings, err);
}

bool task_wordings_load(const struct suite *suite,
                        struct task_wordings *wordings, struct err *err)
{
    struct wordings_loading loading = {suite, {.count = 0}};
    bool done = suite_files_beside(suite->path, SUITE_FILES_WORDINGS, read_file,
                                   &loading, err);

    if (done)
        *wordings = loading.wordings;
    else
        task_wordings_release(&loading.wordings);
    return done;
}

void task_wordings_release(struct task_wordings *wordings)
{
    for (size_t i = 0; i < wordings->count; i++)
        struct_json_release(&wording_struct_json, &wordings->items[i]);
    free(wordings->items);
    *wordings = (struct task_wordings){.count = 0};
}

/* ---- as tasks ---- */

bool task_wordings_choose(const char *name, struct task_wordings_choice *choice,
                          struct err *err)
{
    struct nearest_word nearest;

    choice->all = !strcmp(name, "all");
    if (choice->all || wording_style_find(name, &choice->style))
        return true;
    nearest_word_init(&nearest, name);
    for (size_t i = 0; i < WORDING_STYLES; i++)
        nearest_word_offer(&nearest, wording_style_names[i]);
    if (nearest.best)
        return err_set(err, ERR_INVALID,
                       "there is no style of wordings \"%.40s\"; did you mean "
                       "\"%s\"?",
                       name, nearest.best);
    return err_set(err, ERR_INVALID,
                   "there is no style of wordings \"%.40s\": expected all, a "
                   "number from 1 to %d, or a style such as polite",
                   name, WORDING_STYLES);
}

static bool is_chosen(const struct task_wordings_choice *choice, const char *id)
{
    for (size_t i = 0; i < choice->id_count; i++) {
        if (!strcmp(choice->ids[i], id))
            return true;
    }
    return !choice->id_count;
}

static bool has_wording(const struct task_wordings *wordings,
                        const struct task *task)
{
    for (size_t i = 0; i < wordings->count; i++) {
        if (wordings->items[i].task == task)
            return true;
    }
    return false;
}

static void add_wording(const struct task_wording *wording, struct cJSON *tasks)
{
    const char *style = wording_style_names[wording->style];
    struct cJSON *task = task_to_json(wording->task);
    struct buf id = BUF_INIT(2 * TASK_ID_MAX);
    struct cJSON *rewording;

    buf_printf(&id, "%s.%s", wording->task->id, style);
    cJSON_DeleteItemFromObjectCaseSensitive(task, "id");
    cJSON_DeleteItemFromObjectCaseSensitive(task, "instruction");
    json_add_string(task, "id", buf_cstr(&id));
    bilingual_text_to_json(&wording->say, task, "instruction");
    rewording = json_add_object(task, "rewording");
    json_add_string(rewording, "of", wording->task->id);
    json_add_string(rewording, "style", style);
    if (!cJSON_AddItemToArray(tasks, task))
        mem_out();
    buf_release(&id);
}

static size_t add_task(const struct task *task,
                       const struct task_wordings *wordings,
                       const struct task_wordings_choice *choice,
                       struct cJSON *tasks)
{
    size_t count = 0;

    if (choice->all && has_wording(wordings, task) &&
        !cJSON_AddItemToArray(tasks, task_to_json(task)))
        mem_out();
    for (size_t i = 0; i < wordings->count; i++) {
        const struct task_wording *wording = &wordings->items[i];

        if (wording->task == task &&
            (choice->all || wording->style == choice->style)) {
            add_wording(wording, tasks);
            count++;
        }
    }
    return count;
}

bool task_wordings_expand(const struct suite *suite,
                          const struct task_wordings *wordings,
                          const struct task_wordings_choice *choice,
                          struct buf *text, struct err *err)
{
    struct cJSON *made;
    struct cJSON *tasks;
    size_t count = 0;

    for (size_t i = 0; i < choice->id_count; i++) {
        const struct task *ignored;

        if (!suite_choose(suite, choice->ids[i], &ignored, err))
            return false;
    }
    made = json_new_object();
    json_add_string(made, "name", suite->name);
    tasks = json_add_array(made, "tasks");
    for (size_t i = 0; i < suite->count; i++) {
        if (is_chosen(choice, suite->tasks[i].id))
            count += add_task(&suite->tasks[i], wordings, choice, tasks);
    }
    if (count)
        json_format_indented(made, text);
    cJSON_Delete(made);
    if (!count)
        return err_set(err, ERR_NOT_FOUND,
                       "suite %s has no such wording of these tasks: wordings "
                       "are in NAME.wordings.json beside NAME.json",
                       suite->name);
    return !text->overflow ||
           err_set(err, ERR_LIMIT,
                   "suite %s with these wordings has more than %zu bytes; "
                   "choose one style or some tasks",
                   suite->name, TASK_FILE_MAX);
}
