#include "tasks/task/episode_task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "tasks/task/task_struct_json.h"

#define NAME "task.json"

static char *path_in(const char *folder)
{
    size_t size = strlen(folder) + sizeof("/" NAME);
    char *path = mem_new(size, 1);

    snprintf(path, size, "%s/" NAME, folder);
    return path;
}

bool episode_task_save(const struct task *task, const char *folder,
                       struct err *err)
{
    struct cJSON *tree = task_to_json(task);
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    char *path = path_in(folder);
    bool done;

    json_format(tree, &text);
    buf_byte(&text, '\n');
    if (text.overflow)
        done = err_set(err, ERR_LIMIT, "%s: larger than %zu bytes", path,
                       TASK_FILE_MAX);
    else
        done = file_save(path, 0666, text.data, text.length, err);
    cJSON_Delete(tree);
    buf_release(&text);
    free(path);
    return done;
}

static bool parse(const struct buf *text, struct task *task, struct err *err)
{
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    bool done;

    if (!json_parse(buf_cstr(text), text->length, &tree, err))
        return false;
    root.value = tree;
    done = struct_json_read(&task_struct_json, &root, task, err);
    cJSON_Delete(tree);
    return done;
}

bool episode_task_load(const char *folder, struct task *task, struct err *err)
{
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    char *path = path_in(folder);
    struct task read;
    bool done = file_load(path, &text, err);

    if (done) {
        done = parse(&text, &read, err);
        if (done)
            *task = read;
        else
            err_wrap(err, "%s", NAME);
    }
    buf_release(&text);
    free(path);
    return done;
}
