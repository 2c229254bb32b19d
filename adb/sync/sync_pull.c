/* Files and trees from the device. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adb/sync/sync_scan.h"
#include "adb/sync/sync_session.h"
#include "base/file.h"

/* A transfer, and the paths of the current file. */
struct sync_pull {
    struct sync *sync;
    struct deadline by;
    struct sync_totals *totals;
    struct buf local;
    struct buf remote;
};

/* The set-user-ID, set-group-ID and sticky bits are not copied. */
static mode_t kept_mode(const struct sync_stat *stat)
{
    return stat->mode & 0777;
}

static void kept_times(const struct sync_stat *stat, struct timespec times[2])
{
    times[0] = (struct timespec){.tv_nsec = UTIME_OMIT};
    times[1] = (struct timespec){.tv_sec = stat->mtime};
}

static bool fill_file(struct sync_pull *pull, struct file *file,
                      const struct sync_stat *stat, struct err *err)
{
    struct timespec times[2];
    uint64_t received;

    file_reserve(file, stat->size);
    if (!sync_receive_next(pull->sync, buf_cstr(&pull->remote), file->fd,
                           stat->size, pull->by, &received, err))
        return false;
    kept_times(stat, times);
    if (futimens(file->fd, times) < 0)
        return err_errno(err, errno, "setting the time of \"%s\"",
                         buf_cstr(&pull->local));
    pull->totals->bytes += received;
    return true;
}

/* Receive the oldest requested file, pull->remote, to pull->local. */
static bool pull_file(struct sync_pull *pull, const struct sync_stat *stat,
                      struct err *err)
{
    struct file file = FILE_INIT;

    if (!file_begin(&file, buf_cstr(&pull->local), kept_mode(stat), err))
        return false;
    if (!fill_file(pull, &file, stat, err)) {
        file_abandon(&file);
        return false;
    }
    if (!file_commit(&file, err))
        return false;
    pull->totals->files++;
    return true;
}

/* The owner must be able to write to them until all files are received. */
static bool make_directories(struct sync_pull *pull, struct sync_scan *tree,
                             const char *local, struct err *err)
{
    for (size_t i = 0; i < tree->count; i++) {
        struct sync_scan_entry *entry = &tree->entries[i];
        struct stat found;

        if (!S_ISDIR(entry->stat.mode))
            continue;
        if (!sync_scan_join(&pull->local, local, sync_scan_path(tree, entry),
                            err))
            return false;
        if (mkdir(buf_cstr(&pull->local), kept_mode(&entry->stat) | 0700) == 0)
            continue;
        entry->exists = true;
        if (errno != EEXIST || stat(buf_cstr(&pull->local), &found) < 0)
            return err_errno(err, errno, "making the directory \"%s\"",
                             buf_cstr(&pull->local));
        if (!S_ISDIR(found.st_mode))
            return err_set(err, ERR_INVALID, "\"%s\" is not a directory",
                           buf_cstr(&pull->local));
    }
    return true;
}

/* Remove permissions that were only needed to fill the directory. */
static bool restrict_directory(const char *path, const struct sync_stat *stat)
{
    struct stat found;

    return lstat(path, &found) == 0 &&
           ((kept_mode(stat) & 0700) == 0700 ||
            chmod(path, found.st_mode & (kept_mode(stat) | 07000)) == 0);
}

/* Children first: changing them would change the parent's time. */
static bool finish_directories(struct sync_pull *pull,
                               const struct sync_scan *tree, const char *local,
                               struct err *err)
{
    for (size_t i = tree->count; i-- > 0;) {
        const struct sync_scan_entry *entry = &tree->entries[i];
        struct timespec times[2];

        if (!S_ISDIR(entry->stat.mode))
            continue;
        if (!sync_scan_join(&pull->local, local, sync_scan_path(tree, entry),
                            err))
            return false;
        kept_times(&entry->stat, times);
        if (utimensat(AT_FDCWD, buf_cstr(&pull->local), times, 0) < 0 ||
            (!entry->exists &&
             !restrict_directory(buf_cstr(&pull->local), &entry->stat)))
            return err_errno(err, errno, "setting mode and time of \"%s\"",
                             buf_cstr(&pull->local));
    }
    return true;
}

/* Request files from entry *next on, until enough are requested. */
static bool ask_ahead(struct sync_pull *pull, const struct sync_scan *tree,
                      const char *remote, size_t *next, unsigned *ahead,
                      struct err *err)
{
    if (*ahead > SYNC_AHEAD_MAX / 2)
        return true;
    for (; *next < tree->count && *ahead < SYNC_AHEAD_MAX; ++*next) {
        const struct sync_scan_entry *entry = &tree->entries[*next];

        if (!S_ISREG(entry->stat.mode))
            continue;
        if (!sync_scan_join(&pull->remote, remote, sync_scan_path(tree, entry),
                            err) ||
            !sync_request_ahead(pull->sync, buf_cstr(&pull->remote), pull->by,
                                err))
            return false;
        ++*ahead;
    }
    return sync_flush(pull->sync, pull->by, err);
}

static bool pull_files(struct sync_pull *pull, const struct sync_scan *tree,
                       const char *remote, const char *local, struct err *err)
{
    size_t next = 0;
    unsigned ahead = 0;

    for (size_t i = 0; i < tree->count; i++) {
        const struct sync_scan_entry *entry = &tree->entries[i];
        const char *path = sync_scan_path(tree, entry);

        if (!S_ISREG(entry->stat.mode))
            continue;
        if (!ask_ahead(pull, tree, remote, &next, &ahead, err) ||
            !sync_scan_join(&pull->remote, remote, path, err) ||
            !sync_scan_join(&pull->local, local, path, err) ||
            !pull_file(pull, &entry->stat, err))
            return false;
        ahead--;
    }
    return true;
}

static bool pull_tree(struct sync_pull *pull, const char *remote,
                      const char *local, const struct sync_stat *root,
                      struct err *err)
{
    struct sync_scan tree = SYNC_SCAN_INIT;
    bool good;

    tree.skip = pull->sync->options.skip;
    tree.context = pull->sync->options.context;
    good = sync_scan_remote(&tree, pull->sync, remote, root, pull->by, err) &&
           make_directories(pull, &tree, local, err) &&
           pull_files(pull, &tree, remote, local, err) &&
           finish_directories(pull, &tree, local, err);
    pull->totals->skipped += tree.skipped;
    pull->totals->unread += tree.unread;
    sync_scan_release(&tree);
    return good;
}

/* The destination: inside local if that is a directory. */
static bool choose_target(const char *remote, const char *local,
                          struct buf *target, struct err *err)
{
    struct buf name = BUF_INIT(SYNC_PATH_MAX);
    struct stat found;
    bool good;

    if (stat(local, &found) == 0 && S_ISDIR(found.st_mode))
        sync_scan_base_name(remote, &name);
    good = sync_scan_join(target, local, buf_cstr(&name), err);
    buf_release(&name);
    return good;
}

static bool pull_any(struct sync_pull *pull, const char *remote,
                     const char *local, struct err *err)
{
    struct buf target = BUF_INIT(PATH_MAX);
    struct sync_stat stat;
    bool good;

    if (!sync_stat(pull->sync, remote, true, pull->by, &stat, err))
        return false;
    if (!stat.mode)
        return err_set(err, ERR_NOT_FOUND,
                       "%.200s does not exist on the device", remote);
    if (!S_ISDIR(stat.mode) && !S_ISREG(stat.mode))
        return err_set(err, ERR_INVALID,
                       "%.200s is neither a file nor a directory", remote);
    if (!choose_target(remote, local, &target, err))
        good = false;
    else if (S_ISDIR(stat.mode))
        good = pull_tree(pull, remote, buf_cstr(&target), &stat, err);
    else
        good = sync_scan_join(&pull->remote, remote, "", err) &&
               sync_scan_join(&pull->local, buf_cstr(&target), "", err) &&
               sync_request_ahead(pull->sync, remote, pull->by, err) &&
               pull_file(pull, &stat, err);
    buf_release(&target);
    return good;
}

bool sync_pull(struct sync *sync, const char *remote, const char *local,
               struct deadline by, struct sync_totals *totals, struct err *err)
{
    struct sync_totals own;
    struct sync_pull pull = {.sync = sync,
                             .by = by,
                             .totals = totals ? totals : &own,
                             .local = BUF_INIT(PATH_MAX),
                             .remote = BUF_INIT(SYNC_PATH_MAX)};
    bool done;

    *pull.totals = (struct sync_totals){0};
    done = pull_any(&pull, remote, local, err);
    if (!done)
        sync_drop(sync); /* requested files may still be arriving */
    buf_release(&pull.local);
    buf_release(&pull.remote);
    return done;
}
