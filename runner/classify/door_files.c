#include "runner/classify/door_files.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/macros.h"

/* ---- paths ---- */

/* Other names of the shared storage. */
static const char *const storages[] = {
    "/storage/emulated/0", "/storage/self/primary", "/mnt/sdcard",
    "/storage/sdcard0",    "/mnt/user/0/primary",   "/data/media/0",
};

static bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    return !strncmp(path, folder, length) &&
           (path[length] == '/' || !path[length]);
}

static void rename_storage(char *path)
{
    for (size_t i = 0; i < ARRAY_LEN(storages); i++) {
        size_t length = strlen(storages[i]);

        if (!is_below(path, storages[i]))
            continue;
        memmove(path + strlen("/sdcard"), path + length,
                strlen(path + length) + 1);
        memcpy(path, "/sdcard", strlen("/sdcard"));
        return;
    }
}

/* Drop the last part of path. */
static size_t parent_of(const char *path, size_t length)
{
    while (length && path[length - 1] != '/')
        length--;
    return length ? length - 1 : 0;
}

bool door_files_normalise(const char *folder, const char *path,
                          char normal[DOOR_PATH_MAX])
{
    char whole[2 * DOOR_PATH_MAX];
    int size = path[0] == '/'
                   ? snprintf(whole, sizeof(whole), "%s", path)
                   : snprintf(whole, sizeof(whole), "%s/%s", folder, path);
    size_t length = 0;

    if (size < 0 || (size_t)size >= DOOR_PATH_MAX || !path[0])
        return false;
    for (const char *at = whole; *at;) {
        size_t part = strcspn(at, "/");

        if (part == 2 && !strncmp(at, "..", 2)) {
            length = parent_of(normal, length);
        } else if (part && (part != 1 || at[0] != '.')) {
            normal[length++] = '/';
            memcpy(normal + length, at, part);
            length += part;
        }
        at += part + (at[part] == '/');
    }
    if (!length)
        normal[length++] = '/';
    normal[length] = '\0';
    rename_storage(normal);
    return true;
}

/* ---- the list ---- */

static size_t index_of(const struct door_files *files, const char *path)
{
    size_t i = 0;

    while (i < files->count && strcmp(files->items[i].path, path) != 0)
        i++;
    return i;
}

static void remove_at(struct door_files *files, size_t index)
{
    files->count--;
    memmove(&files->items[index], &files->items[index + 1],
            (files->count - index) * sizeof(files->items[0]));
}

void door_files_put(struct door_files *files, const struct door_file *file)
{
    struct door_file copy = *file;

    door_files_forget(files, file->path);
    if (files->count == DOOR_FILES_MAX)
        remove_at(files, 0);
    files->items[files->count++] = copy;
}

const struct door_file *door_files_find(const struct door_files *files,
                                        const char *path)
{
    size_t index = index_of(files, path);

    return index < files->count ? &files->items[index] : NULL;
}

void door_files_forget(struct door_files *files, const char *path)
{
    size_t index = index_of(files, path);

    if (index < files->count)
        remove_at(files, index);
}

/* ---- places ---- */

static bool has_ending(const char *path, const char *ending)
{
    size_t length = strlen(path);
    size_t size = strlen(ending);

    return length >= size && !strcasecmp(path + length - size, ending);
}

/* Screenshots and trees that agents put into the top of the shared storage. */
static bool is_capture_name(const char *path)
{
    static const char *const endings[] = {".png",  ".xml", ".jpg",
                                          ".jpeg", ".uix", ".raw"};
    const char *name = path + strlen("/sdcard/");

    if (!is_below(path, "/sdcard") || strchr(name, '/'))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        if (has_ending(name, endings[i]))
            return true;
    }
    return false;
}

bool door_files_is_temporary(const struct door_files *files, const char *path)
{
    return is_below(path, "/data/local/tmp") || is_below(path, "/tmp") ||
           !strcmp(path, "/dev/null") || !strcmp(path, "/dev/tty") ||
           !strcmp(path, "/dev/stdout") || !strcmp(path, "/dev/stderr") ||
           door_files_find(files, path) ||
           (strlen(path) > strlen("/sdcard/") && is_capture_name(path));
}
