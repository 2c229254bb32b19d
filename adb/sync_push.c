/* Files and trees to the device. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adb/shell.h"
#include "adb/sync_session.h"
#include "adb/sync_tree.h"
#include "base/text.h"

/* Old devices take a service name of at most one 4096-byte packet. */
#define COMMAND_MAX 3800

/* A transfer: what is moved, and the paths of the file it is at. */
struct push {
    struct sync *sync;
    struct deadline by;
    struct sync_totals *totals;
    struct buf local;
    struct buf remote;
};

/* Send the file at push->local, which must (still) be an ordinary one. */
static bool push_fd(struct push *push, int fd, struct err *err)
{
    const char *remote = buf_cstr(&push->remote);
    struct stat found;

    if (fstat(fd, &found) < 0)
        return err_errno(err, errno, "looking at \"%s\"",
                         buf_cstr(&push->local));
    if (!S_ISREG(found.st_mode))
        return err_set(err, ERR_INVALID, "\"%s\" is not an ordinary file",
                       buf_cstr(&push->local));
    if (!sync_send_ahead(push->sync, fd, remote, found.st_mode, found.st_mtime,
                         (uint64_t)found.st_size, push->by, err))
        return false;
    push->totals->files++;
    push->totals->bytes += (uint64_t)found.st_size;
    return true;
}

static bool push_file(struct push *push, struct err *err)
{
    /* Not blocking on what became a pipe since it was looked at. */
    int fd = open(buf_cstr(&push->local), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool sent;

    if (fd < 0)
        return err_errno(err, errno, "opening \"%s\"", buf_cstr(&push->local));
    sent = push_fd(push, fd, err);
    close(fd);
    return sent;
}

static bool push_link(struct push *push, int64_t mtime, struct err *err)
{
    /* One that does not fit is too long for devices, too. */
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

static bool run_mkdir(struct push *push, const struct buf *command,
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
    /* Shell version 1 tells no status, and mixes what is said. */
    said = result.errors.length ? &result.errors : &result.out;
    made = result.status == 0 || (result.status < 0 && !said->length);
    if (!made) {
        char words[200];

        text_copy_clean(words, sizeof(words), buf_cstr(said), said->length);
        err_set(err, ERR_REMOTE, "making directories: %s", words);
    }
    shell_result_release(&result);
    return made;
}

/* The device makes directories for the files in them; these have none. */
static bool push_empty_directories(struct push *push,
                                   const struct sync_tree *tree,
                                   const char *remote, struct err *err)
{
    static const char mkdir_p[] = "mkdir -p --";
    struct buf command = BUF_INIT(COMMAND_MAX + 4 * SYNC_PATH_MAX);
    bool good = true;

    buf_text(&command, mkdir_p);
    for (size_t i = 0; good && i < tree->count; i++) {
        const struct sync_entry *entry = &tree->entries[i];

        if (!S_ISDIR(entry->stat.mode) || entry->has_children)
            continue;
        good = sync_tree_join(&push->remote, remote,
                              sync_tree_path(tree, entry), err);
        buf_byte(&command, ' ');
        shell_quote(&command, buf_cstr(&push->remote));
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

static bool push_entries(struct push *push, const struct sync_tree *tree,
                         const char *local, const char *remote, struct err *err)
{
    for (size_t i = 0; i < tree->count; i++) {
        const struct sync_entry *entry = &tree->entries[i];
        const char *path = sync_tree_path(tree, entry);

        if (S_ISDIR(entry->stat.mode))
            continue;
        if (!sync_tree_join(&push->local, local, path, err) ||
            !sync_tree_join(&push->remote, remote, path, err))
            return false;
        if (S_ISLNK(entry->stat.mode) ? !push_link(push, entry->stat.mtime, err)
                                      : !push_file(push, err))
            return false;
    }
    return sync_settle(push->sync, push->by, err);
}

static bool push_tree(struct push *push, const char *local, const char *remote,
                      struct err *err)
{
    struct sync_tree tree = SYNC_TREE_INIT;
    bool good = sync_tree_scan_local(&tree, local, err) &&
                push_entries(push, &tree, local, remote, err) &&
                push_empty_directories(push, &tree, remote, err);

    push->totals->skipped += tree.skipped;
    sync_tree_release(&tree);
    return good;
}

/* Where the source goes: below remote if that is, or must be, a directory. */
static bool choose_target(struct push *push, const char *local,
                          const char *remote, struct buf *target,
                          struct err *err)
{
    struct buf name = BUF_INIT(PATH_MAX);
    struct sync_stat stat;
    bool good;

    if (!sync_stat(push->sync, remote, true, push->by, &stat, err))
        return false;
    if (S_ISDIR(stat.mode) || remote[strlen(remote) - 1] == '/')
        sync_tree_base_name(local, &name);
    good = sync_tree_join(target, remote, buf_cstr(&name), err);
    buf_release(&name);
    return good;
}

static bool push_any(struct push *push, const char *local, const char *remote,
                     struct err *err)
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
        good = sync_tree_join(&push->local, local, "", err) &&
               sync_tree_join(&push->remote, buf_cstr(&target), "", err) &&
               push_file(push, err) && sync_settle(push->sync, push->by, err);
    }
    buf_release(&target);
    return good;
}

bool sync_push(struct sync *sync, const char *local, const char *remote,
               struct deadline by, struct sync_totals *totals, struct err *err)
{
    struct sync_totals own;
    struct push push = {.sync = sync,
                        .by = by,
                        .totals = totals ? totals : &own,
                        .local = BUF_INIT(PATH_MAX),
                        .remote = BUF_INIT(SYNC_PATH_MAX)};
    bool done;

    *push.totals = (struct sync_totals){0};
    done = push_any(&push, local, remote, err);
    if (!done)
        sync_drop(sync); /* files sent ahead may still be under way */
    buf_release(&push.local);
    buf_release(&push.remote);
    return done;
}
