#include "tasks/task/task_way.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/name_table.h"
#include "tasks/task/suite_files.h"
#include "tasks/task/task_rules.h"
#include "tasks/task/task_struct_json.h"

#define WAYS_MAX 64 /* of a task */

static const char *const class_names[] = {
    [TASK_WAY_GOLD] = "gold",
    [TASK_WAY_VARIANT] = "variant",
    [TASK_WAY_SKIPPED] = "skipped",
    [TASK_WAY_WRONG_TARGET] = "wrong_target",
    [TASK_WAY_NEAR_MISS] = "near_miss",
    [TASK_WAY_UNDONE] = "undone",
    [TASK_WAY_WRONG_PROCESS] = "wrong_process",
    [TASK_WAY_NOTHING] = "nothing",
    [TASK_WAY_RANDOM] = "random",
};

const char *task_way_class_name(enum task_way_class class_)
{
    return class_names[class_];
}

bool task_way_class_find(const char *name, enum task_way_class *class_)
{
    size_t found = name_table_find(class_names, TASK_WAY_CLASSES, name);

    if (found < TASK_WAY_CLASSES)
        *class_ = (enum task_way_class)found;
    return found < TASK_WAY_CLASSES;
}

/* ---- numbers in place of the gold's steps ---- */

/* "2-4", within 1 to count. */
static bool parse_range(const char *text, size_t count, size_t *first,
                        size_t *last)
{
    char *end;
    unsigned long from;
    unsigned long to;

    if (*text < '0' || *text > '9')
        return false;
    from = strtoul(text, &end, 10);
    if (*end != '-' || end[1] < '0' || end[1] > '9')
        return false;
    to = strtoul(end + 1, &end, 10);
    if (*end || !from || to < from || to > count)
        return false;
    *first = from;
    *last = to;
    return true;
}

/* A number, or a range in a text. */
static bool read_range(const struct json *json, size_t count, size_t *first,
                       size_t *last, struct err *err)
{
    const struct cJSON *value = json->value;

    if (cJSON_IsNumber(value)) {
        int64_t number = 0;

        if (!json_as_int(json, 1, (int64_t)count, &number, err))
            return false;
        *first = *last = (size_t)number;
        return true;
    }
    return (cJSON_IsString(value) &&
            parse_range(value->valuestring, count, first, last)) ||
           json_fail(json, err,
                     "expected a step, its number in the gold (1 to %zu), or "
                     "such as \"2-4\"",
                     count);
}

/* A step that the way adds is checked here, where its position is known. */
static bool check_own(const struct json *json, struct err *err)
{
    struct cJSON *alone = json_new_array();
    const struct json root = JSON_ROOT(alone);
    struct task_gold gold;
    struct err why = ERR_INIT;
    bool done;

    if (!cJSON_AddItemToArray(alone, cJSON_Duplicate(json->value, true)))
        mem_out();
    done = task_gold_from_json(&root, &gold, &why);
    if (done)
        task_gold_release(&gold);
    else
        json_fail(json, err, "%s", why.text);
    cJSON_Delete(alone);
    return done;
}

static bool add_steps(const struct json *json, const struct cJSON *gold,
                      struct cJSON *into, struct err *err)
{
    size_t count = (size_t)cJSON_GetArraySize(gold);
    size_t first = 0;
    size_t last = 0;

    if (cJSON_IsObject(json->value)) {
        if (!check_own(json, err))
            return false;
        if (!cJSON_AddItemToArray(into, cJSON_Duplicate(json->value, true)))
            mem_out();
        return true;
    }
    if (!read_range(json, count, &first, &last, err))
        return false;
    for (size_t i = first; i <= last; i++) {
        const struct cJSON *step = cJSON_GetArrayItem(gold, (int)i - 1);

        if (!cJSON_AddItemToArray(into, cJSON_Duplicate(step, true)))
            mem_out();
    }
    return true;
}

/* The way's steps, with gold steps in place of their numbers; or NULL. */
static struct cJSON *expand(const struct json *way, const struct cJSON *gold,
                            struct err *err)
{
    struct cJSON *whole = json_new_array();
    struct json steps = JSON_NONE;
    struct json step = JSON_NONE;
    bool done =
        json_as_object(way, err) && json_get_array(way, "steps", &steps, err);

    while (done && json_next(&steps, &step))
        done = add_steps(&step, gold, whole, err);
    if (done)
        return whole;
    cJSON_Delete(whole);
    return NULL;
}

/* ---- a way ---- */

static const struct json_member way_members[] = {
    {"name", TEXT_AT(struct task_way, name), .rule = &task_rule_id,
     .needed = true},
    {"class", NAME_AT(struct task_way, class_, class_names), .needed = true,
     .default_value = -1},
    {"breaks", TEXT_AT(struct task_way, breaks), .rule = &task_rule_name},
    {"steps", PART_AT(struct task_way, steps, struct task_gold),
     .struct_json = &task_gold_shape, .needed = true},
};

static bool check_way(const struct json *json, void *thing, struct err *err)
{
    const struct task_way *way = thing;

    if (way->class_ == TASK_WAY_GOLD || way->class_ == TASK_WAY_NOTHING ||
        way->class_ == TASK_WAY_RANDOM)
        return json_fail(json, err, "%s exists for every task",
                         task_way_class_name(way->class_));
    if (task_way_meant_right(way->class_) && way->breaks)
        return json_fail(json, err, "a %s breaks nothing",
                         task_way_class_name(way->class_));
    return true;
}

static const struct struct_json way_struct_json = {
    .size = sizeof(struct task_way),
    .members = way_members,
    .count = ARRAY_LEN(way_members),
    .check = check_way,
};

static bool read_way(const struct json *json, size_t number,
                     const struct task *task, const struct cJSON *gold,
                     struct task_ways *ways, struct err *err)
{
    struct cJSON *steps = expand(json, gold, err);
    struct cJSON *whole;
    struct json expanded = JSON_NONE;
    struct task_way way;
    bool done;

    if (!steps)
        return false;
    whole = cJSON_Duplicate(json->value, true);
    if (!whole)
        mem_out();
    cJSON_ReplaceItemInObjectCaseSensitive(whole, "steps", steps);
    expanded.value = whole;
    done = struct_json_read(&way_struct_json, &expanded, &way, err);
    cJSON_Delete(whole);
    if (!done)
        return err_wrap(err, "ways[%zu]", number);
    way.task = task;
    ways->items = mem_resize(ways->items, ways->count + 1, sizeof(way));
    ways->items[ways->count++] = way;
    return true;
}

/* ---- those of a task, and all ---- */

static bool read_task_ways(const struct json *json, const struct task *task,
                           struct task_ways *ways, struct err *err)
{
    struct cJSON *gold = task_gold_to_json(&task->gold);
    const struct cJSON *steps =
        cJSON_IsArray(gold) ? gold
                            : cJSON_GetObjectItemCaseSensitive(gold, "steps");
    struct json list = JSON_NONE;
    struct json item = JSON_NONE;
    bool done = json_get_array(json, "ways", &list, err);

    if (done && cJSON_GetArraySize(list.value) > WAYS_MAX)
        done = json_fail(&list, err, "more than %d", WAYS_MAX);
    for (size_t i = 0; done && json_next(&list, &item); i++)
        done = read_way(&item, i, task, steps, ways, err);
    cJSON_Delete(gold);
    return done || err_wrap(err, "task \"%s\"", task->id);
}

static bool read_all(const struct json *root, const struct suite *suite,
                     struct task_ways *ways, struct err *err)
{
    struct json item = JSON_NONE;

    if (!json_as_array(root, err))
        return false;
    while (json_next(root, &item)) {
        const struct task *task;
        const char *id = NULL;

        if (!json_as_object(&item, err) ||
            !json_get_string(&item, "task", &id, err))
            return false;
        task = suite_find(suite, id);
        if (!task)
            return json_fail(&item, err, "the suite has no task \"%.60s\"", id);
        if (!read_task_ways(&item, task, ways, err))
            return false;
    }
    return true;
}

bool task_ways_parse(const char *text, size_t length, const char *path,
                     const struct suite *suite, struct task_ways *ways,
                     struct err *err)
{
    struct task_ways read = {.count = 0};
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    bool done = json_parse(text, length, &tree, err);

    root.value = tree;
    done = done && read_all(&root, suite, &read, err);
    cJSON_Delete(tree);
    if (!done) {
        task_ways_release(&read);
        return err_wrap(err, "%.80s", path);
    }
    *ways = read;
    return true;
}

struct ways_loading {
    const struct suite *suite;
    struct task_ways ways; /* so far */
};

/* Add the ways of one file to the context. */
static bool read_file(void *context, const struct buf *text, const char *path,
                      struct err *err)
{
    struct ways_loading *loading = context;
    struct task_ways *ways = &loading->ways;
    struct task_ways more;

    if (!task_ways_parse(buf_cstr(text), text->length, path, loading->suite,
                         &more, err))
        return false;
    ways->items =
        mem_resize(ways->items, ways->count + more.count, sizeof(*ways->items));
    for (size_t i = 0; i < more.count; i++)
        ways->items[ways->count++] = more.items[i];
    free(more.items);
    return true;
}

bool task_ways_load(const struct suite *suite, struct task_ways *ways,
                    struct err *err)
{
    struct ways_loading loading = {suite, {.count = 0}};
    bool done = suite_files_beside(suite->path, SUITE_FILES_WAYS, read_file,
                                   &loading, err);

    if (done)
        *ways = loading.ways;
    else
        task_ways_release(&loading.ways);
    return done;
}

void task_ways_release(struct task_ways *ways)
{
    for (size_t i = 0; i < ways->count; i++)
        struct_json_release(&way_struct_json, &ways->items[i]);
    free(ways->items);
    *ways = (struct task_ways){.count = 0};
}
