/* Files and trees to the device. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adb/services/shell.h"
#include "adb/sync/sync_scan.h"
#include "adb/sync/sync_session.h"
#include "base/clean_text.h"

/* Old devices accept a service name of at most one 4096-byte packet. */
#define COMMAND_MAX 3800

/* A transfer, and the paths of the current file. */
struct sync_push {
    struct sync *sync;
    struct deadline by;
    struct sync_totals *totals;
    struct buf local;
    struct buf remote;
};

/* Send the file at push->local, which must (still) be a regular file. */
static bool push_fd(struct sync_push *push, int fd, struct err *err)
{
    const char *remote = buf_cstr(&push->remote);
    struct stat found;

    if (fstat(fd, &found) < 0)
        return err_errno(err, errno, "looking at \"%s\"",
                         buf_cstr(&push->local));
    if (!S_ISREG(found.st_mode))
        return err_set(err, ERR_INVALID, "\"%s\" is not a regular file",
                       buf_cstr(&push->local));
    if (!sync_send_ahead(push->sync, fd, remote, found.st_mode, found.st_mtime,
                         (uint64_t)found.st_size, push->by, err))
        return false;
    push->totals->files++;
    push->totals->bytes += (uint64_t)found.st_size;
    return true;
}

static bool push_file(struct sync_push *push, struct err *err)
{
    /* Does not block if it has become a pipe meanwhile. */
    int fd = open(buf_cstr(&push->local), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool sent;

    if (fd < 0)
        return err_errno(err, errno, "opening \"%s\"", buf_cstr(&push->local));
    sent = push_fd(push, fd, err);
    close(fd);
    return sent;
}

static bool push_link(struct sync_push *push, int64_t mtime, struct err *err)
{
    /* A target that does not fit is too long for devices, too. */
    char target[SYNC_PATH_MAX + 1];
    ssize_t length =
        readlink(buf_cstr(&push->local), target, sizeof(target) - 1);

    if (length < 0)
        return err_errno(err, errno, "reading the link \"%s\"",
                         buf_cstr(&push->local));
    target[length] = '\0';
    if (!sync_send_link(push->sync, target, buf_cstr(&push->remote), mtime,
                        push->by, err))
        return false;
    push->totals->files++;
    return true;
}

static bool run_mkdir(struct sync_push *push, const struct buf *command,
                      struct err *err)
{
    struct shell_result result;
    const struct buf *said;
    bool made;

    if (!push->sync->device)
        return err_set(err, ERR_UNSUPPORTED, "cannot make empty directories");
    if (!shell_run(push->sync->device, buf_cstr(command), 65536, push->by,
                   &result, err))
        return err_wrap(err, "making directories");
    said = result.errors.length ? &result.errors : &result.out;
    made = result.status == 0;
    if (!made) {
        char words[200];

        clean_text_copy(words, sizeof(words), buf_cstr(said), said->length);
        err_set(err, ERR_REMOTE, "making directories: %s", words);
    }
    shell_result_release(&result);
    return made;
}

/* Android 4.4 has no "--" to end the options of mkdir. */
static void put_directory(struct buf *command, const char *path)
{
    buf_text(command, *path == '-' ? " ./" : " ");
    shell_quote(command, path);
}

/* The device creates directories for files; these contain none. */
static bool push_empty_directories(struct sync_push *push,
                                   const struct sync_scan *tree,
                                   const char *remote, struct err *err)
{
    static const char mkdir_p[] = "mkdir -p";
    struct buf command = BUF_INIT(COMMAND_MAX + 4 * SYNC_PATH_MAX);
    bool good = true;

    buf_text(&command, mkdir_p);
    for (size_t i = 0; good && i < tree->count; i++) {
        const struct sync_scan_entry *entry = &tree->entries[i];

        if (!S_ISDIR(entry->stat.mode) || entry->has_children)
            continue;
        good = sync_scan_join(&push->remote, remote,
                              sync_scan_path(tree, entry), err);
        put_directory(&command, buf_cstr(&push->remote));
        if (good && command.length > COMMAND_MAX - SYNC_PATH_MAX) {
            good = run_mkdir(push, &command, err);
            buf_clear(&command);
            buf_text(&command, mkdir_p);
        }
    }
    if (good && command.length > strlen(mkdir_p))
        good = run_mkdir(push, &command, err);
    buf_release(&command);
    return good;
}

static bool push_entries(struct sync_push *push, const struct sync_scan *tree,
                         const char *local, const char *remote, struct err *err)
{
    for (size_t i = 0; i < tree->count; i++) {
        const struct sync_scan_entry *entry = &tree->entries[i];
        const char *path = sync_scan_path(tree, entry);

        if (S_ISDIR(entry->stat.mode))
            continue;
        if (!sync_scan_join(&push->local, local, path, err) ||
            !sync_scan_join(&push->remote, remote, path, err))
            return false;
        if (S_ISLNK(entry->stat.mode) ? !push_link(push, entry->stat.mtime, err)
                                      : !push_file(push, err))
            return false;
    }
    return sync_settle(push->sync, push->by, err);
}

static bool push_tree(struct sync_push *push, const char *local,
                      const char *remote, struct err *err)
{
    struct sync_scan tree = SYNC_SCAN_INIT;
    bool good;

    tree.skip = push->sync->options.skip;
    tree.context = push->sync->options.context;
    good = sync_scan_local(&tree, local, err) &&
           push_entries(push, &tree, local, remote, err) &&
           push_empty_directories(push, &tree, remote, err);
    push->totals->skipped += tree.skipped;
    sync_scan_release(&tree);
    return good;
}

/* The destination: inside remote if that is, or must be, a directory. */
static bool choose_target(struct sync_push *push, const char *local,
                          const char *remote, struct buf *target,
                          struct err *err)
{
    struct buf name = BUF_INIT(PATH_MAX);
    struct sync_stat stat;
    bool good;

    if (!sync_stat(push->sync, remote, true, push->by, &stat, err))
        return false;
    if (S_ISDIR(stat.mode) || remote[strlen(remote) - 1] == '/')
        sync_scan_base_name(local, &name);
    good = sync_scan_join(target, remote, buf_cstr(&name), err);
    buf_release(&name);
    return good;
}

static bool push_any(struct sync_push *push, const char *local,
                     const char *remote, struct err *err)
{
    struct buf target = BUF_INIT(SYNC_PATH_MAX);
    struct stat found;
    bool good;

    if (stat(local, &found) < 0)
        return err_errno(err, errno, "opening \"%s\"", local);
    if (!choose_target(push, local, remote, &target, err)) {
        good = false;
    } else if (S_ISDIR(found.st_mode)) {
        good = push_tree(push, local, buf_cstr(&target), err);
    } else {
        good = sync_scan_join(&push->local, local, "", err) &&
               sync_scan_join(&push->remote, buf_cstr(&target), "", err) &&
               push_file(push, err) && sync_settle(push->sync, push->by, err);
    }
    buf_release(&target);
    return good;
}

bool sync_push(struct sync *sync, const char *local, const char *remote,
               struct deadline by, struct sync_totals *totals, struct err *err)
{
    struct sync_totals own;
    struct sync_push push = {.sync = sync,
                             .by = by,
                             .totals = totals ? totals : &own,
                             .local = BUF_INIT(PATH_MAX),
                             .remote = BUF_INIT(SYNC_PATH_MAX)};
    bool done;

    *push.totals = (struct sync_totals){0};
    done = push_any(&push, local, remote, err);
    if (!done)
        sync_drop(sync); /* sent files may not be confirmed yet */
    buf_release(&push.local);
    buf_release(&push.remote);
    return done;
}
