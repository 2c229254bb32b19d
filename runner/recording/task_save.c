#include "runner/recording/task_save.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/path_parts.h"
#include "runner/recording/recording_folder.h"
#include "tasks/task/episode_task.h"
#include "tasks/task/suite.h"
#include "tasks/task/suite_folder_lock.h"

#define GOLD_FOLDER "gold"
#define PART ".part"   /* the end of the name of a way that is not complete */
#define WAYS_MAX 10000 /* of one task */

struct saving {
    const struct recording_task *made;
    const struct task_save_options *options;
    char *folder;        /* of the suite; owned */
    struct buf gold;     /* of the first way, relative to it */
    struct cJSON *tree;  /* owned: the whole suite */
    struct cJSON *tasks; /* borrowed from it: the array */
    struct cJSON *task;  /* owned until it is part of the suite */
};

/* ---- the suite as it is ---- */

/* A suite that cannot be read is not overwritten. */
static bool load_suite(struct saving *saving, struct err *err)
{
    const char *path = saving->options->suite;
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    struct suite suite;
    bool done;

    if (access(path, F_OK)) {
        saving->tree = saving->tasks = json_new_array();
        return true;
    }
    done = file_load(path, &text, err) &&
           suite_parse(buf_cstr(&text), text.length, path, &suite, err);
    if (done) {
        suite_release(&suite);
        done = json_parse(buf_cstr(&text), text.length, &saving->tree, err);
    }
    if (done)
        saving->tasks =
            cJSON_IsArray(saving->tree)
                ? saving->tree
                : cJSON_GetObjectItemCaseSensitive(saving->tree, "tasks");
    buf_release(&text);
    return done;
}

/* The place of the task with that id; -1: there is none. */
static int find_task(const struct saving *saving, const char *id)
{
    for (int i = 0; i < cJSON_GetArraySize(saving->tasks); i++) {
        const struct cJSON *other = cJSON_GetObjectItemCaseSensitive(
            cJSON_GetArrayItem(saving->tasks, i), "id");

        if (cJSON_IsString(other) && !strcmp(other->valuestring, id))
            return i;
    }
    return -1;
}

/* ---- the task ---- */

/* Crops are named from the suite's folder. */
static void move_crops(struct cJSON *selector, const char *gold)
{
    const struct cJSON *crop;
    struct buf path = BUF_INIT(PATH_MAX);

    if (!selector)
        return;
    crop = cJSON_GetObjectItemCaseSensitive(selector, "crop");
    if (cJSON_IsString(crop)) {
        buf_printf(&path, "%s/%s", gold, crop->valuestring);
        cJSON_DeleteItemFromObjectCaseSensitive(selector, "crop");
        json_add_string(selector, "crop", buf_cstr(&path));
    }
    buf_release(&path);
    move_crops(cJSON_GetObjectItemCaseSensitive(selector, "inside"), gold);
}

static struct cJSON *gold_json(const struct saving *saving)
{
    struct cJSON *whole = recording_task_suite_json(saving->made);
    struct cJSON *gold = cJSON_DetachItemFromObjectCaseSensitive(whole, "gold");
    struct cJSON *steps = gold;
    struct cJSON *step;

    cJSON_Delete(whole);
    if (cJSON_IsArray(gold)) {
        gold = json_new_object();
        cJSON_AddItemToObject(gold, "steps", steps);
    } else {
        steps = cJSON_GetObjectItemCaseSensitive(gold, "steps");
        cJSON_DeleteItemFromObjectCaseSensitive(gold, "trajectory");
    }
    cJSON_ArrayForEach(step, steps)
    {
        move_crops(cJSON_GetObjectItemCaseSensitive(step, "at"),
                   buf_cstr(&saving->gold));
        move_crops(cJSON_GetObjectItemCaseSensitive(step, "to"),
                   buf_cstr(&saving->gold));
    }
    json_add_string(gold, "trajectory", buf_cstr(&saving->gold));
    return gold;
}

static struct cJSON *task_json(const struct saving *saving)
{
    struct cJSON *task;

    if (!saving->options->task)
        return recording_task_suite_json(saving->made);
    task = cJSON_Duplicate(saving->options->task, true);
    if (!task)
        mem_out();
    return task;
}

/* Read the task as the only one of a suite. */
static bool parse_task(const struct cJSON *task, struct suite *suite,
                       struct err *err)
{
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    bool done;

    buf_byte(&text, '[');
    json_format(task, &text);
    buf_byte(&text, ']');
    if (text.overflow)
        done = err_set(err, ERR_LIMIT, "the task is larger than %zu bytes",
                       TASK_FILE_MAX);
    else
        done = suite_parse(buf_cstr(&text), text.length, "form", suite, err);
    buf_release(&text);
    return done;
}

/* ---- the ways ---- */

static bool name_way(const struct saving *saving, const char *id,
                     size_t *number, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool found = false;

    while (!found && *number < WAYS_MAX) {
        buf_clear(&path);
        buf_printf(&path, "%s/" GOLD_FOLDER "/%s/%zu", saving->folder, id,
                   *number);
        found = access(buf_cstr(&path), F_OK) != 0;
        *number += !found;
    }
    buf_release(&path);
    return found ||
           err_set(err, ERR_LIMIT, "task %s has %d ways", id, WAYS_MAX);
}

/* Episodes have their task with all placeholders filled in. */
static bool resolve_for(const struct task *task, const struct recorded_way *way,
                        struct task *resolved, struct err *err)
{
    const struct trajectory_head *head = &way->trajectory.head;
    const struct task_values values = {
        .locale = head->locale ? head->locale : "en",
        .today_s = head->started_ms / 1000,
    };

    return task_resolve(task, &values, resolved, err);
}

static bool write_way(const struct recorded_way *way, const struct task *task,
                      const char *folder, struct err *err)
{
    struct task resolved;
    bool done;

    if (!resolve_for(task, way, &resolved, err))
        return false;
    done = recorded_way_save(way, &resolved, folder, err) &&
           episode_task_save(&resolved, folder, err) && file_sync(folder, err);
    task_release(&resolved);
    return done;
}

static bool is_part(const char *name)
{
    size_t length = strlen(name);

    return name[0] == '.' && length > strlen(PART) &&
           !strcmp(name + length - strlen(PART), PART);
}

/* A kill leaves parts of ways; with the lock no one else is writing one. */
static void discard_parts(const char *parent)
{
    DIR *stream = opendir(parent);
    const struct dirent *entry;

    while (stream && (entry = readdir(stream)) != NULL) {
        struct buf path = BUF_INIT(PATH_MAX);

        buf_printf(&path, "%s/%s", parent, entry->d_name);
        if (is_part(entry->d_name) && !path.overflow)
            recording_folder_discard(buf_cstr(&path));
        buf_release(&path);
    }
    if (stream)
        closedir(stream);
}

/* Under a hidden name first, then renamed. */
static bool save_way(const struct saving *saving, const struct task *task,
                     size_t way, size_t number, struct err *err)
{
    struct buf parent = BUF_INIT(PATH_MAX);
    struct buf part = BUF_INIT(PATH_MAX);
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&parent, "%s/" GOLD_FOLDER "/%s", saving->folder, task->id);
    buf_printf(&path, "%s/%zu", buf_cstr(&parent), number);
    buf_printf(&part, "%s/.%zu.%ld" PART, buf_cstr(&parent), number,
               (long)getpid());
    discard_parts(buf_cstr(&parent));
    done = file_make_folder(buf_cstr(&parent), 0777, err) &&
           write_way(&saving->made->ways[way], task, buf_cstr(&part), err);
    if (done && rename(buf_cstr(&part), buf_cstr(&path)))
        done = err_errno(err, errno, "renaming %s", buf_cstr(&part));
    done = done && file_sync(buf_cstr(&parent), err);
    buf_release(&parent);
    buf_release(&part);
    buf_release(&path);
    return done;
}

static bool save_ways(const struct saving *saving, const struct task *task,
                      size_t number, struct err *err)
{
    for (size_t i = 0; i < saving->made->way_count; i++, number++) {
        if (!name_way(saving, task->id, &number, err) ||
            !save_way(saving, task, i, number, err))
            return false;
    }
    return true;
}

/* ---- the suite as it should be ---- */

static bool write_suite(struct saving *saving, struct err *err)
{
    const char *path = saving->options->suite;
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    struct suite suite;
    bool done;

    json_format_indented(saving->tree, &text);
    buf_byte(&text, '\n');
    if (text.overflow)
        done = err_set(err, ERR_LIMIT, "%s: larger than %zu bytes", path,
                       TASK_FILE_MAX);
    else
        done = suite_parse(buf_cstr(&text), text.length, path, &suite, err);
    if (done) {
        suite_release(&suite);
        done = file_save_synced(path, 0666, text.data, text.length, err);
    }
    buf_release(&text);
    return done;
}

static void put_task(struct saving *saving, int place)
{
    if (place >= 0)
        cJSON_ReplaceItemInArray(saving->tasks, place, saving->task);
    else if (!cJSON_AddItemToArray(saving->tasks, saving->task))
        mem_out();
    saving->task = NULL;
}

static bool save_task(struct saving *saving, struct err *err)
{
    const struct cJSON *id =
        cJSON_GetObjectItemCaseSensitive(saving->task, "id");
    struct suite form;
    size_t number = 1;
    int place;
    bool done;

    if (!parse_task(saving->task, &form, err))
        return false;
    place = find_task(saving, id->valuestring);
    done = (place < 0 || saving->options->replace ||
            err_set(err, ERR_INVALID,
                    "%s has a task \"%s\" already: choose another id, or "
                    "replace it",
                    saving->options->suite, id->valuestring)) &&
           name_way(saving, id->valuestring, &number, err);
    if (done) {
        buf_printf(&saving->gold, GOLD_FOLDER "/%s/%zu", id->valuestring,
                   number);
        cJSON_DeleteItemFromObjectCaseSensitive(saving->task, "gold");
        cJSON_AddItemToObject(saving->task, "gold", gold_json(saving));
    }
    suite_release(&form);
    done = done && parse_task(saving->task, &form, err);
    if (!done)
        return false;
    done = save_ways(saving, &form.tasks[0], number, err);
    suite_release(&form);
    if (!done)
        return false;
    put_task(saving, place);
    return write_suite(saving, err);
}

bool task_save(const struct recording_task *made,
               const struct task_save_options *options, char **gold,
               struct err *err)
{
    struct saving saving = {
        .made = made,
        .options = options,
        .folder = path_folder(options->suite),
        .gold = BUF_INIT(PATH_MAX),
    };
    bool done;
    int lock;

    done = suite_folder_lock_take(saving.folder, &lock, err);
    if (done) {
        saving.task = task_json(&saving);
        done = load_suite(&saving, err) && save_task(&saving, err);
        close(lock);
    }
    if (done) {
        struct buf path = BUF_INIT(PATH_MAX);

        buf_printf(&path, "%s/%s", saving.folder, buf_cstr(&saving.gold));
        *gold = mem_dup(buf_cstr(&path));
        buf_release(&path);
    }
    cJSON_Delete(saving.task);
    cJSON_Delete(saving.tree);
    free(saving.folder);
    buf_release(&saving.gold);
    return done || err_wrap(err, "saving the task");
}
