#include "tasks/trajectory/episode_folders.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/mem.h"

#define DEPTH_MAX 6 /* run, episodes, task, repeat, attempt */
#define PATH_MAX_BYTES 4096

bool episode_folders_is_one(const char *folder)
{
    struct buf path = BUF_INIT(PATH_MAX_BYTES);
    struct stat found;
    bool holds;

    buf_printf(&path, "%s/events.jsonl", folder);
    holds = !path.overflow && !lstat(buf_cstr(&path), &found);
    buf_release(&path);
    return holds;
}

static bool is_folder(const char *path)
{
    struct stat found;

    return !lstat(path, &found) && S_ISDIR(found.st_mode);
}

/* Compare numbers by value: 10 comes after 9. */
static int compare(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

static bool list(const char *folder, struct text_list *names, struct err *err)
{
    DIR *stream = opendir(folder);
    struct dirent *entry;

    if (!stream)
        return err_errno(err, errno, "looking for episodes in %s", folder);
    while ((entry = readdir(stream))) {
        if (entry->d_name[0] != '.')
            text_list_add(names, entry->d_name);
    }
    closedir(stream);
    if (names->count)
        qsort(names->items, names->count, sizeof(*names->items), compare);
    return true;
}

static bool walk(const char *folder, int depth, struct text_list *found,
                 struct err *err)
{
    struct text_list names = {.count = 0};
    bool done;

    if (episode_folders_is_one(folder)) {
        text_list_add(found, folder);
        return true;
    }
    done = list(folder, &names, err);
    for (size_t i = 0; done && depth < DEPTH_MAX && i < names.count; i++) {
        struct buf path = BUF_INIT(PATH_MAX_BYTES);

        buf_printf(&path, "%s/%s", folder, names.items[i]);
        if (!path.overflow && is_folder(buf_cstr(&path)))
            done = walk(buf_cstr(&path), depth + 1, found, err);
        buf_release(&path);
    }
    text_list_release(&names);
    return done;
}

bool episode_folders_find(const char *folder, struct text_list *found,
                          struct err *err)
{
    size_t before = found->count;

    if (!walk(folder, 0, found, err))
        return false;
    return found->count > before ||
           err_set(err, ERR_INVALID,
                   "%s holds no episodes: no folder with an events.jsonl",
                   folder);
}
