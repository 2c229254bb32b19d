#include "tools/cli/run/run_folder.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/file.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tasks/task/suite_files.h"

#define NAME_TRIES 100

bool run_folder_read_suite(const char *name, struct buf *text,
                           struct suite *suite, struct err *err)
{
    char *path;
    bool done;

    if (!suite_locate(name, &path, err))
        return false;
    done = suite_files_load(path, text, err) &&
           suite_parse(buf_cstr(text), text->length, path, suite, err);
    free(path);
    return done;
}

/* "20261116-131500-random-7": the time and the agent. */
static void name_run(const struct run_plan *plan, char name[64])
{
    time_t now = time(NULL);
    struct tm local;
    size_t at;

    localtime_r(&now, &local);
    at = strftime(name, 32, "%Y%m%d-%H%M%S-", &local);
    for (const char *c = plan->agent; *c && at < 48; c++)
        name[at++] = strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                            "XYZ0123456789.",
                            *c)
                         ? *c
                         : '-';
    name[at] = '\0';
}

/* A new folder of that name; a number is added where there is one. */
static bool make_folder(const char *out, const char *parent, const char *name,
                        struct buf *folder, struct err *err)
{
    if (out) {
        buf_text(folder, out);
        return file_make_folder(out, 0777, err);
    }
    if (!file_make_folder(parent, 0777, err))
        return false;
    for (int i = 1; i <= NAME_TRIES; i++) {
        buf_clear(folder);
        buf_printf(folder, "%s/%s", parent, name);
        if (i > 1)
            buf_printf(folder, "-%d", i);
        if (!mkdir(buf_cstr(folder), 0777))
            return true;
        if (errno != EEXIST)
            break;
    }
    return err_errno(err, errno, "make %s", buf_cstr(folder));
}

static bool is_there(const char *folder, const char *name)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct stat found;
    bool there;

    buf_printf(&path, "%s/%s", folder, name);
    there = !lstat(buf_cstr(&path), &found);
    buf_release(&path);
    return there;
}

/* Existing files are not overwritten. */
static bool check_new(const char *folder, struct err *err)
{
    if (is_there(folder, "run.json"))
        return err_set(
            err, ERR_INVALID,
            "%s already contains a run; continue it with: proctor resume %s",
            folder, folder);
    return !is_there(folder, "suite.json") ||
           err_set(err, ERR_INVALID,
                   "%s contains a suite.json, which would be overwritten; give "
                   "another folder",
                   folder);
}

void run_folder_forget(const char *folder)
{
    static const char *const names[] = {"run.json", "suite.json",
                                        "results.jsonl", ".lock"};
    struct buf path = BUF_INIT(PATH_MAX);

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        buf_clear(&path);
        buf_printf(&path, "%s/%s", folder, names[i]);
        (void)unlink(buf_cstr(&path));
    }
    buf_release(&path);
    (void)rmdir(folder); /* unless something else is there */
}

/* A copy of the suite, for resume. */
static bool keep_suite(const char *folder, const struct buf *text,
                       struct run_plan *plan, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&path, "%s/suite.json", folder);
    done =
        file_save_synced(buf_cstr(&path), 0666, text->data, text->length, err);
    sha256_hex(text->data, text->length, plan->suite_sha256);
    buf_release(&path);
    return done;
}

bool run_folder_make(const char *out, const char *parent,
                     const struct buf *suite, struct run_file *file,
                     struct buf *folder, struct err *err)
{
    char name[64];
    const char *slash;

    name_run(&file->plan, name);
    if (!make_folder(out, parent ? parent : "runs", name, folder, err) ||
        !check_new(buf_cstr(folder), err) ||
        !keep_suite(buf_cstr(folder), suite, &file->plan, err))
        return false;
    slash = strrchr(buf_cstr(folder), '/');
    file->id = mem_dup(out ? name : slash + 1);
    file->created_ms = clock_wall_ms();
    file->proctor = mem_dup(PROCTOR_VERSION);
    return run_file_save(file, buf_cstr(folder), err);
}
