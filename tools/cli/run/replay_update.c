#include "tools/cli/run/replay_update.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "runner/recording/recording.h"
#include "runner/recording/recording_lock.h"
#include "runner/run/run_file.h"

#define FILE_MAX ((size_t)64 << 20)
#define OPEN_FOLDERS 16

/* ---- beginning ---- */

/* An episode of a run is four folders below it. */
static bool is_in_run(const char *folder)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct run_file file = {.id = NULL};
    struct err ignored;
    bool is_in;

    buf_printf(&path, "%s/../../../..", folder);
    is_in = run_file_load(buf_cstr(&path), &file, &ignored);
    if (is_in)
        run_file_release(&file);
    buf_release(&path);
    return is_in;
}

/* Beside the recording, so that both are in one file system. */
static char *name_new(const char *folder)
{
    struct buf path = BUF_INIT(PATH_MAX);
    size_t length = strlen(folder);
    char *name;

    while (length > 1 && folder[length - 1] == '/')
        length--;
    buf_append(&path, folder, length);
    buf_printf(&path, ".update-%ld", (long)getpid());
    name = mem_dup(buf_cstr(&path));
    buf_release(&path);
    return name;
}

/*
 * The replay repeats only steps that were done and count, so the steps after
 * any other get lower numbers.
 */
static bool leaves_steps_out(const struct recording *recording)
{
    for (size_t i = 0; i < recording->count; i++) {
        const struct recording_step *step = &recording->steps[i];
        bool is_end = i + 1 == recording->count && !step->step->acted;

        if (!is_end && (!recording_step_counts(step) || step->step->blocked))
            return true;
    }
    return false;
}

/* Edits name steps by their numbers, which must stay. */
static bool check_numbers(const struct trajectory *recorded, struct err *err)
{
    const char *folder = recorded->folder;
    struct recording recording;
    bool leaves_out;
    bool changed;

    if (!recording_is_one(folder))
        return true;
    if (!recording_load(folder, &recording, err))
        return false;
    leaves_out = leaves_steps_out(&recording);
    changed = recording.count != recorded->count;
    recording_release(&recording);
    if (changed)
        return err_set(err, ERR_BUSY,
                       "%.150s was changed meanwhile: replay it again", folder);
    return !leaves_out ||
           err_set(err, ERR_INVALID,
                   "%.150s has steps that are deleted, undone, trimmed or "
                   "blocked, so stars and notes would be on other steps: "
                   "record it again",
                   folder);
}

bool replay_update_begin(struct replay_update *update,
                         const struct trajectory *recorded, const char *locale,
                         struct err *err)
{
    struct trajectory_head head = recorded->head;

    if (is_in_run(recorded->folder))
        return err_set(err, ERR_INVALID,
                       "%.150s is an episode of a run, which is not changed: "
                       "copy it first",
                       recorded->folder);
    if (recording_is_one(recorded->folder) &&
        !recording_lock_take(recorded->folder, &update->lock, err))
        return false;
    if (!check_numbers(recorded, err))
        return false;
    if (locale)
        head.locale = (char *)(uintptr_t)locale;
    update->folder = mem_dup(recorded->folder);
    update->made = name_new(recorded->folder);
    return trajectory_create(update->made, &head, &update->writer, err);
}

/* ---- committing ---- */

/* What the replay has written itself, or what belongs to old screens. */
static bool is_replaced(const char *name)
{
    return name[0] == '.' || !strcmp(name, "events.jsonl") ||
           !strcmp(name, "screens") || !strcmp(name, "trees") ||
           !strcmp(name, "crops") || !strcmp(name, "process.jsonl") ||
           !strncmp(name, "verdict.", 8) || !strcmp(name, "truth.json");
}

static bool copy_file(const struct replay_update *update, const char *name,
                      struct err *err)
{
    struct buf from = BUF_INIT(PATH_MAX), to = BUF_INIT(PATH_MAX);
    struct buf content = BUF_INIT(FILE_MAX);
    struct stat found;
    bool done;

    buf_printf(&from, "%s/%s", update->folder, name);
    buf_printf(&to, "%s/%s", update->made, name);
    done = lstat(buf_cstr(&from), &found) || !S_ISREG(found.st_mode) ||
           (file_load(buf_cstr(&from), &content, err) &&
            file_save_synced(buf_cstr(&to), 0666, content.data, content.length,
                             err));
    buf_release(&from);
    buf_release(&to);
    buf_release(&content);
    return done;
}

static bool copy_others(const struct replay_update *update, struct err *err)
{
    DIR *stream = opendir(update->folder);
    const struct dirent *entry;
    bool done = true;

    if (!stream)
        return err_errno(err, errno, "open %s", update->folder);
    while (done && (entry = readdir(stream)) != NULL) {
        if (!is_replaced(entry->d_name))
            done = copy_file(update, entry->d_name, err);
    }
    closedir(stream);
    return done;
}

static bool scrolled_otherwise(const struct replay_end *end)
{
    for (size_t i = 0; i < end->log_count; i++) {
        if (end->log[i].skipped)
            return true;
    }
    return end->extra_scrolls > 0;
}

static bool replace(struct replay_update *update,
                    const struct trajectory *recorded, struct err *err)
{
    if (!trajectory_end(update->writer, recorded->ending, recorded->reason, 0,
                        err))
        return false;
    trajectory_close(update->writer);
    update->writer = NULL;
    if (!copy_others(update, err) || !file_sync(update->made, err))
        return false;
    if (renameat2(AT_FDCWD, update->made, AT_FDCWD, update->folder,
                  RENAME_EXCHANGE))
        return err_errno(err, errno, "replace %s", update->folder);
    return true;
}

bool replay_update_commit(struct replay_update *update,
                          const struct trajectory *recorded,
                          const struct replay_end *end, struct err *err)
{
    bool is_recording = recording_is_one(update->folder);
    int edits = -1;
    bool done;

    if (is_recording && scrolled_otherwise(end))
        return err_set(err, ERR_INVALID,
                       "the replay scrolled otherwise than the recording, so "
                       "stars and notes would be on other steps: record it "
                       "again");
    if (is_recording && !recording_edits_lock(update->folder, &edits, err))
        return false;
    done = check_numbers(recorded, err) && replace(update, recorded, err);
    if (edits >= 0)
        close(edits);
    return done;
}

/* ---- leaving ---- */

static int remove_one(const char *path, const struct stat *found, int type,
                      struct FTW *walk)
{
    (void)found, (void)type, (void)walk;
    return remove(path);
}

void replay_update_release(struct replay_update *update)
{
    trajectory_close(update->writer);
    if (update->made)
        (void)!nftw(update->made, remove_one, OPEN_FOLDERS,
                    FTW_DEPTH | FTW_PHYS);
    free(update->made);
    free(update->folder);
    file_lock_release(&update->lock);
    *update = (struct replay_update)REPLAY_UPDATE_INIT;
}
