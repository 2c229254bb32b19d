#include "runner/recording/recording_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "runner/recording/target_bundle.h"

static const char *const stores[] = {"screens", "trees", TARGET_BUNDLE_CROPS};

/* ---- new recordings ---- */

/* Where the last part of the path begins. */
static size_t name_start(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

void recording_folder_hidden(const char *folder, struct buf *hidden)
{
    size_t start = name_start(folder);

    buf_append(hidden, folder, start);
    buf_printf(hidden, ".%s.%d.new", folder + start, (int)gettid());
}

/* Does the folder keep the file of this name? */
typedef bool keeps_fn(const void *context, const char *name);

/* Remove all others; a missing folder has none. */
static bool remove_files(const char *folder, keeps_fn *keeps,
                         const void *context, struct err *err)
{
    DIR *stream = opendir(folder);
    struct dirent *entry;
    bool done =
        stream || errno == ENOENT || err_errno(err, errno, "open %s", folder);

    while (stream && (entry = readdir(stream))) {
        if (strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0 &&
            !(keeps && keeps(context, entry->d_name)) &&
            unlinkat(dirfd(stream), entry->d_name, 0))
            done = err_errno(err, errno, "remove %s/%s", folder, entry->d_name);
    }
    if (stream)
        closedir(stream);
    return done;
}

void recording_folder_discard(const char *folder)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct err ignored;

    for (size_t i = 0; i < ARRAY_LEN(stores); i++) {
        buf_clear(&path);
        buf_printf(&path, "%s/%s", folder, stores[i]);
        remove_files(buf_cstr(&path), NULL, NULL, &ignored);
        rmdir(buf_cstr(&path));
    }
    remove_files(folder, NULL, NULL, &ignored);
    rmdir(folder);
    buf_release(&path);
}

/* Was the hidden folder made by a thread that is no more, or by this one? */
static bool is_left(const char *hidden, const char *name)
{
    size_t length = strlen(name);
    char path[32];
    char *end;
    long thread;

    if (hidden[0] != '.' || strncmp(hidden + 1, name, length) != 0 ||
        hidden[length + 1] != '.')
        return false;
    thread = strtol(hidden + length + 2, &end, 10);
    if (thread <= 0 || strcmp(end, ".new") != 0)
        return false;
    snprintf(path, sizeof(path), "/proc/%ld", thread);
    return thread == gettid() || access(path, F_OK);
}

void recording_folder_discard_left(const char *folder)
{
    struct buf path = BUF_INIT(PATH_MAX);
    size_t start = name_start(folder);
    struct dirent *entry;
    DIR *stream;

    buf_append(&path, folder, start);
    buf_text(&path, ".");
    stream = opendir(buf_cstr(&path));
    while (stream && (entry = readdir(stream))) {
        if (!is_left(entry->d_name, folder + start))
            continue;
        buf_clear(&path);
        buf_append(&path, folder, start);
        buf_text(&path, entry->d_name);
        recording_folder_discard(buf_cstr(&path));
    }
    if (stream)
        closedir(stream);
    buf_release(&path);
}

bool recording_folder_complete(const char *folder, struct err *err)
{
    struct buf hidden = BUF_INIT(PATH_MAX);
    bool done;

    recording_folder_hidden(folder, &hidden);
    done = !renameat2(AT_FDCWD, buf_cstr(&hidden), AT_FDCWD, folder,
                      RENAME_NOREPLACE);
    if (!done && errno == EEXIST)
        err_set(err, ERR_INVALID, "%s exists: choose another name", folder);
    else if (!done)
        err_errno(err, errno, "make %s", folder);
    if (!done)
        recording_folder_discard(buf_cstr(&hidden));
    buf_release(&hidden);
    return done && file_sync_folder_of(folder, err);
}

/* ---- files that nothing names ---- */

/* A store of the recording, such as "screens". */
struct store_use {
    const struct recording *recording;
    const char *store;
};

static bool names(const struct node_selector *selector, const char *path)
{
    return selector && selector->crop && !strcmp(selector->crop, path);
}

static bool is_named(const struct recording *recording, const char *path)
{
    for (size_t i = 0; i < recording->count; i++) {
        const struct trajectory_step *step = &recording->trajectory.steps[i];

        if (!strcmp(step->screen.file, path) ||
            !strcmp(step->tree.file, path) || names(step->target, path))
            return true;
    }
    for (size_t i = 0; i < recording->edits.count; i++) {
        if (names(recording->edits.items[i].selector, path))
            return true;
    }
    return false;
}

static bool is_used(const void *context, const char *name)
{
    const struct store_use *use = context;
    struct buf path = BUF_INIT(PATH_MAX);
    bool used;

    buf_printf(&path, "%s/%s", use->store, name);
    used = is_named(use->recording, buf_cstr(&path));
    buf_release(&path);
    return used;
}

bool recording_folder_tidy(const struct recording *recording, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool done = true;

    for (size_t i = 0; i < ARRAY_LEN(stores); i++) {
        const struct store_use use = {recording, stores[i]};

        buf_clear(&path);
        buf_printf(&path, "%s/%s", recording->folder, stores[i]);
        done &= remove_files(buf_cstr(&path), is_used, &use, err);
    }
    buf_release(&path);
    return done;
}
