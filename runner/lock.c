#include "runner/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

static bool is_busy(int fd, const char *what, struct err *err)
{
    char pid[16] = "";
    ssize_t got = pread(fd, pid, sizeof(pid) - 1, 0);

    pid[got > 0 ? got : 0] = '\0';
    pid[strspn(pid, "0123456789")] = '\0';
    return err_set(err, ERR_BUSY, "%s is used by another proctor%s%s", what,
                   pid[0] ? ", process " : "", pid);
}

static void sign(int fd)
{
    char pid[16];
    int length = snprintf(pid, sizeof(pid), "%ld\n", (long)getpid());

    /* Only for the message to others: it may as well be missing. */
    if (!ftruncate(fd, 0))
        (void)!pwrite(fd, pid, (size_t)length, 0);
}

bool lock_take(struct lock *lock, const char *path, const char *what,
               struct err *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool done;

    if (fd < 0)
        return err_errno(err, errno, "open %s", path);
    done = !flock(fd, LOCK_EX | LOCK_NB) ||
           (errno == EWOULDBLOCK ? is_busy(fd, what, err)
                                 : err_errno(err, errno, "lock %s", path));
    if (!done) {
        close(fd);
        return false;
    }
    sign(fd);
    lock->fd = fd;
    return true;
}

/* The user's own folder for what lives as long as the session. */
static bool make_folder(struct buf *folder, struct err *err)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    struct stat found;

    if (runtime && runtime[0] == '/')
        buf_printf(folder, "%s/proctor", runtime);
    else
        buf_printf(folder, "/tmp/proctor-%ld", (long)getuid());
    if (mkdir(buf_cstr(folder), 0700) && errno != EEXIST)
        return err_errno(err, errno, "make %s", buf_cstr(folder));
    if (lstat(buf_cstr(folder), &found) || !S_ISDIR(found.st_mode) ||
        found.st_uid != getuid())
        return err_set(err, ERR_DENIED, "%s is not ours", buf_cstr(folder));
    return true;
}

/* A serial is foreign: only harmless letters stay, the others as numbers. */
static void put_name(struct buf *path, const char *serial)
{
    for (; *serial; serial++) {
        if (strchr("0123456789abcdefghijklmnopqrstuvwxyz"
                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ-",
                   *serial))
            buf_byte(path, *serial);
        else
            buf_printf(path, "_%02x", (unsigned)(unsigned char)*serial);
    }
}

bool lock_phone(struct lock *lock, const char *serial, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    char what[160];
    bool done;

    snprintf(what, sizeof(what), "phone %.100s", serial);
    done = make_folder(&path, err);
    buf_text(&path, "/phone-");
    put_name(&path, serial);
    buf_text(&path, ".lock");
    done = done && lock_take(lock, buf_cstr(&path), what, err);
    buf_release(&path);
    return done;
}

void lock_release(struct lock *lock)
{
    if (lock->fd >= 0)
        close(lock->fd);
    lock->fd = -1;
}
