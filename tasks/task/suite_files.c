#include "tasks/task/suite_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/path_parts.h"
#include "tasks/task/suite.h"
#include "tasks/task/suite_checklists.h"

#define SUFFIX ".json"
#define SUFFIX_LENGTH (sizeof(SUFFIX) - 1)
#define PATH_MAX_BYTES ((size_t)4096)
#define BESIDE_MAX ((size_t)4 << 20)

static bool is_folder(const char *path)
{
    struct stat found;

    return !stat(path, &found) && S_ISDIR(found.st_mode);
}

bool suite_files_is_suite(const char *name)
{
    size_t length = strlen(name);

    return length > SUFFIX_LENGTH &&
           !strcmp(name + length - SUFFIX_LENGTH, SUFFIX) &&
           !memchr(name, '.', length - SUFFIX_LENGTH);
}

/* ---- the files ---- */

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool suite_files_list(const char *path, struct text_list *files,
                      struct err *err)
{
    size_t before = files->count;
    struct buf file = BUF_INIT(PATH_MAX_BYTES);
    const struct dirent *entry;
    DIR *folder;

    if (!is_folder(path)) {
        text_list_add(files, path);
        return true;
    }
    folder = opendir(path);
    if (!folder)
        return err_errno(err, errno, "open %s", path);
    while ((entry = readdir(folder))) {
        if (!suite_files_is_suite(entry->d_name))
            continue;
        buf_clear(&file);
        buf_printf(&file, "%s/%s", path, entry->d_name);
        text_list_add(files, buf_cstr(&file));
    }
    closedir(folder);
    buf_release(&file);
    if (files->count == before)
        return err_set(err, ERR_NOT_FOUND,
                       "there is no suite (NAME.json) in the folder %s", path);
    qsort(files->items + before, files->count - before, sizeof(*files->items),
          compare);
    return true;
}

/* ---- what is beside them ---- */

/* "a" of "a.json", and then the ending. */
static void name_beside(const char *file, const char *ending, struct buf *path)
{
    size_t length = strlen(file);

    if (length > SUFFIX_LENGTH &&
        !strcmp(file + length - SUFFIX_LENGTH, SUFFIX))
        length -= SUFFIX_LENGTH;
    buf_append(path, file, length);
    buf_text(path, ending);
}

bool suite_files_beside(const char *path, const char *ending,
                        suite_files_reader *read, void *context,
                        struct err *err)
{
    struct text_list files = {.items = NULL};
    bool done = suite_files_list(path, &files, err);

    for (size_t i = 0; done && i < files.count; i++) {
        struct buf beside = BUF_INIT(PATH_MAX_BYTES);
        struct buf text = BUF_INIT(BESIDE_MAX);

        name_beside(files.items[i], ending, &beside);
        if (!access(buf_cstr(&beside), F_OK))
            done = file_load(buf_cstr(&beside), &text, err) &&
                   read(context, &text, buf_cstr(&beside), err);
        buf_release(&beside);
        buf_release(&text);
    }
    text_list_release(&files);
    return done;
}

char *suite_files_folder(const char *path)
{
    return is_folder(path) ? mem_dup(path) : path_folder(path);
}

/* ---- one text ---- */

/* Move the tasks of a valid suite's text into the array. */
static bool take_tasks(const struct buf *text, struct cJSON *into,
                       struct err *err)
{
    struct cJSON *tree = NULL;
    struct cJSON *tasks;
    struct cJSON *task;

    if (!json_parse(buf_cstr(text), text->length, &tree, err))
        return false;
    if (!suite_checklists_expand(tree, err)) {
        cJSON_Delete(tree);
        return false;
    }
    tasks = cJSON_IsArray(tree)
                ? tree
                : cJSON_GetObjectItemCaseSensitive(tree, "tasks");
    while ((task = cJSON_DetachItemFromArray(tasks, 0))) {
        if (!cJSON_AddItemToArray(into, task))
            mem_out();
    }
    cJSON_Delete(tree);
    return true;
}

static bool add_file(const char *path, struct cJSON *into, struct err *err)
{
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    struct suite suite;
    bool done = file_load(path, &text, err) &&
                suite_parse(buf_cstr(&text), text.length, path, &suite, err);

    if (done) {
        suite_release(&suite);
        done = take_tasks(&text, into, err);
    }
    buf_release(&text);
    return done;
}

static bool format_suite(const char *path, const struct cJSON *suite,
                         struct buf *text, struct err *err)
{
    struct buf made = BUF_INIT(TASK_FILE_MAX);

    json_format_indented(suite, &made);
    buf_byte(&made, '\n');
    if (!made.overflow)
        buf_append(text, made.data, made.length);
    buf_release(&made);
    return (!made.overflow && !text->overflow) ||
           err_set(err, ERR_LIMIT, "%s: the files have more than %zu bytes",
                   path, TASK_FILE_MAX);
}

bool suite_files_load(const char *path, struct buf *text, struct err *err)
{
    struct text_list files = {.items = NULL};
    struct cJSON *suite = NULL;
    struct cJSON *tasks;
    char *name;
    bool done;

    if (!is_folder(path))
        return file_load(path, text, err);
    done = suite_files_list(path, &files, err);
    if (done) {
        suite = json_new_object();
        name = path_name(path);
        json_add_string(suite, "name", name);
        free(name);
        tasks = json_add_array(suite, "tasks");
        for (size_t i = 0; done && i < files.count; i++)
            done = add_file(files.items[i], tasks, err);
    }
    done = done && format_suite(path, suite, text, err);
    cJSON_Delete(suite);
    text_list_release(&files);
    return done;
}
