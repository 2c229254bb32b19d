#include "tools/report_html/zoo_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"

#define FILE_SIZE_MAX ((size_t)16 << 20)

static bool read_task(const struct json *json, struct zoo_figures *figures,
                      struct err *err)
{
    struct zoo_figure figure = {.discrimination = NAN};
    const char *task = NULL;
    struct json value;

    if (!json_get_string(json, "task", &task, err) ||
        !json_get_number(json, "success", &figure.success, err) ||
        !json_get_bool(json, "poor", &figure.poor, err) ||
        !json_get(json, "discrimination", &value, err))
        return false;
    if (!cJSON_IsNull(value.value) &&
        !json_get_number(json, "discrimination", &figure.discrimination, err))
        return false;
    figure.task = mem_dup(task);
    figures->items =
        mem_resize(figures->items, figures->count + 1, sizeof(*figures->items));
    figures->items[figures->count++] = figure;
    return true;
}

static bool parse(const struct buf *text, struct zoo_figures *figures,
                  struct err *err)
{
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    struct json tasks = JSON_NONE;
    struct json task = JSON_NONE;
    bool done = json_parse(buf_cstr(text), text->length, &tree, err);

    root.value = tree;
    done = done && json_as_object(&root, err) &&
           json_get_array(&root, "tasks", &tasks, err);
    while (done && json_next(&tasks, &task))
        done = json_as_object(&task, err) && read_task(&task, figures, err);
    cJSON_Delete(tree);
    return done;
}

bool zoo_figures_load(const char *path, struct zoo_figures *figures,
                      struct err *err)
{
    struct zoo_figures read = {.items = NULL};
    struct buf text = BUF_INIT(FILE_SIZE_MAX);
    bool done = file_load(path, &text, err);

    if (done && !parse(&text, &read, err)) {
        err_prepend(err, "%s", path);
        done = false;
    }
    if (done)
        *figures = read;
    else
        zoo_figures_release(&read);
    buf_release(&text);
    return done;
}

void zoo_figures_release(struct zoo_figures *figures)
{
    for (size_t i = 0; i < figures->count; i++)
        free(figures->items[i].task);
    free(figures->items);
    *figures = (struct zoo_figures){.items = NULL};
}

const struct zoo_figure *zoo_figures_find(const struct zoo_figures *figures,
                                          const char *task)
{
    for (size_t i = 0; i < figures->count; i++) {
        if (!strcmp(figures->items[i].task, task))
            return &figures->items[i];
    }
    return NULL;
}
