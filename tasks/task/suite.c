#include "tasks/task/suite.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/nearest_word.h"
#include "tasks/task/suite_checklists.h"
#include "tasks/task/suite_files.h"
#include "tasks/task/task_private.h"
#include "tasks/task/task_rules.h"
#include "tasks/task/task_struct_json.h"

#define PATH_SHOWN 80 /* a longer one would leave no room for the reason */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* ---- the tasks of a suite ---- */

static bool read_task(const struct json *json, size_t number,
                      struct suite *suite, struct err *err)
{
    const struct json root = JSON_ROOT(json->value);
    const struct cJSON *id =
        cJSON_GetObjectItemCaseSensitive(json->value, "id");
    struct task task;

    if (struct_json_read(&task_struct_json, &root, &task, err)) {
        if (suite_find(suite, task.id))
            err_set(err, ERR_INVALID, "id: another task has it already");
        else if (task_validate_placeholders(&task, err)) {
            suite->tasks[suite->count++] = task;
            return true;
        }
        task_release(&task);
    }
    if (cJSON_IsString(id))
        return err_wrap(err, "task \"%.*s\"", TASK_ID_MAX, id->valuestring);
    return err_wrap(err, "task %zu", number);
}

static bool read_tasks(const struct json_member *member,
                       const struct json *json, void *thing, struct err *err)
{
    struct suite *suite = thing;
    struct json item = JSON_NONE;
    size_t count;

    (void)member;
    if (!json_as_array(json, err))
        return false;
    count = (size_t)cJSON_GetArraySize(json->value);
    if (!count)
        return json_fail(json, err, "there is no task");
    if (count > SUITE_TASKS_MAX)
        return json_fail(json, err, "more than %d tasks", SUITE_TASKS_MAX);
    suite->tasks = mem_new(count, sizeof(*suite->tasks));
    for (size_t number = 1; json_next(json, &item); number++) {
        if (!read_task(&item, number, suite, err))
            return false;
    }
    return true;
}

static void write_tasks(const struct json_member *member, const void *thing,
                        struct cJSON *into)
{
    const struct suite *suite = thing;
    struct cJSON *array = json_add_array(into, member->name);

    for (size_t i = 0; i < suite->count; i++) {
        if (!cJSON_AddItemToArray(array, task_to_json(&suite->tasks[i])))
            mem_out();
    }
}

static void release_tasks(const struct json_member *member, void *thing)
{
    struct suite *suite = thing;

    (void)member;
    for (size_t i = 0; i < suite->count; i++)
        task_release(&suite->tasks[i]);
    free(suite->tasks);
}

static const struct member_ops tasks = {
    .read = read_tasks,
    .write = write_tasks,
    .release = release_tasks,
};

static const struct json_member members[] = {
    {"name", TEXT_AT(struct suite, name), .rule = &task_rule_label},
    {"comment", TEXT_AT(struct suite, comment), .rule = &task_rule_comment},
    {"tasks", ODD_BY(tasks), .needed = true},
};

static const struct struct_json suite_struct_json = {
    .size = sizeof(struct suite),
    .members = members,
    .count = ARRAY_LEN(members),
    .brief = &members[2],
};

/* ---- the suite ---- */

/* Without its folder and its suffix. */
static char *name_of(const char *path)
{
    const char *name = base_name(path);
    size_t length = strlen(name);

    if (length > 5 && !strcmp(name + length - 5, ".json"))
        length -= 5;
    return mem_dup_n(name, length);
}

bool suite_parse(const char *text, size_t length, const char *path,
                 struct suite *suite, struct err *err)
{
    const char *shown = strlen(path) > PATH_SHOWN ? base_name(path) : path;
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    struct suite read;
    bool done;

    if (!json_parse(text, length, &tree, err))
        return err_wrap(err, "%.*s", PATH_SHOWN, shown);
    root.value = tree;
    done = suite_checklists_expand(tree, err) &&
           struct_json_read(&suite_struct_json, &root, &read, err);
    cJSON_Delete(tree);
    if (!done)
        return err_wrap(err, "%.*s", PATH_SHOWN, shown);
    read.path = mem_dup(path);
    if (!read.name)
        read.name = name_of(path);
    *suite = read;
    return true;
}

bool suite_load(const char *path, struct suite *suite, struct err *err)
{
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    bool done = suite_files_load(path, &text, err) &&
                suite_parse(buf_cstr(&text), text.length, path, suite, err);

    buf_release(&text);
    return done;
}

void suite_release(struct suite *suite)
{
    free(suite->path);
    struct_json_release(&suite_struct_json, suite);
}

const struct task *suite_find(const struct suite *suite, const char *id)
{
    for (size_t i = 0; i < suite->count; i++) {
        if (!strcmp(suite->tasks[i].id, id))
            return &suite->tasks[i];
    }
    return NULL;
}

bool suite_choose(const struct suite *suite, const char *id,
                  const struct task **task, struct err *err)
{
    const struct task *found = suite_find(suite, id);
    struct nearest_word nearest;

    if (found) {
        *task = found;
        return true;
    }
    nearest_word_init(&nearest, id);
    for (size_t i = 0; i < suite->count; i++)
        nearest_word_offer(&nearest, suite->tasks[i].id);
    if (nearest.best)
        return err_set(err, ERR_INVALID,
                       "suite %s has no task \"%.64s\"; did you mean \"%s\"?",
                       suite->name, id, nearest.best);
    return err_set(err, ERR_INVALID,
                   "suite %s has no task \"%.64s\" (see: proctor tasks %s)",
                   suite->name, id, suite->path);
}
