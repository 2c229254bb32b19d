#include "runner/device/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/deadline.h"

#define OPEN_TRIES 3

/* A process that only looks has a lock for some microseconds, one that took it
 * briefly for some seconds: both are waited for. */
#define LOOK_MS 50
#define BRIEF_MS 8000
#define PAUSE_NS 5000000

/* Behind the process in the file of a lock that was taken briefly. */
static const char brief_mark[] = " briefly";

#define SIGNATURE_MAX 32

/* The text that the holder of the lock has written; untrusted. */
static void read_signature(int fd, char signature[SIGNATURE_MAX])
{
    ssize_t got = pread(fd, signature, SIGNATURE_MAX - 1, 0);

    signature[got > 0 ? got : 0] = '\0';
}

static long process_in(const char *signature)
{
    return signature[0] >= '0' && signature[0] <= '9'
               ? strtol(signature, NULL, 10)
               : 0;
}

static bool is_busy(int fd, const char *what, struct err *err)
{
    char signature[SIGNATURE_MAX];
    long pid;

    read_signature(fd, signature);
    pid = process_in(signature);
    if (!pid)
        return err_set(err, ERR_BUSY, "%s is used by another proctor", what);
    return err_set(err, ERR_BUSY, "%s is used by another proctor, process %ld",
                   what, pid);
}

static void sign(int fd, const char *mark)
{
    char signature[SIGNATURE_MAX];
    int length =
        snprintf(signature, sizeof(signature), "%ld%s\n", (long)getpid(), mark);

    /* Only for messages of other processes: failures are ignored. */
    if (!ftruncate(fd, 0))
        (void)!pwrite(fd, signature, (size_t)length, 0);
}

/* Is the lock taken by a process that will soon be done? */
static bool is_brief(int fd)
{
    char signature[SIGNATURE_MAX];

    read_signature(fd, signature);
    return strstr(signature, brief_mark) != NULL;
}

/* Lock an open file; false: errno says why. */
static bool lock_file(int fd)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    const struct deadline looks = deadline_in_ms(LOOK_MS);
    const struct deadline uses = deadline_in_ms(BRIEF_MS);

    while (flock(fd, LOCK_EX | LOCK_NB)) {
        const int number = errno;

        if (number != EWOULDBLOCK ||
            deadline_passed(is_brief(fd) ? uses : looks)) {
            errno = number;
            return false;
        }
        nanosleep(&pause, NULL);
    }
    return true;
}

/* Take the lock on an open file, which is closed if that fails. */
static bool take(struct file_lock *lock, int fd, const char *path,
                 const char *what, const char *mark, struct err *err)
{
    bool done = lock_file(fd) ||
                (errno == EWOULDBLOCK ? is_busy(fd, what, err)
                                      : err_errno(err, errno, "lock %s", path));

    if (!done) {
        close(fd);
        return false;
    }
    sign(fd, mark);
    lock->fd = fd;
    return true;
}

bool file_lock_take(struct file_lock *lock, const char *path, const char *what,
                    struct err *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd < 0)
        return err_errno(err, errno, "open %s", path);
    return take(lock, fd, path, what, "", err);
}

/*
 * In a folder like /tmp the kernel refuses O_CREAT for the file of another user
 * (fs.protected_regular), so the file is created only if it is missing.
 */
static int open_shared(int folder, const char *name)
{
    static const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    int fd = -1;

    for (int i = 0; fd < 0 && i < OPEN_TRIES; i++) {
        fd = openat(folder, name, O_RDWR | flags);
        if (fd < 0 && errno == EACCES)
            fd = openat(folder, name, O_RDONLY | flags);
        if (fd >= 0 || errno != ENOENT)
            break;
        fd = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

bool file_lock_take_shared(struct file_lock *lock, int folder, const char *name,
                           const char *what, enum file_lock_use use,
                           struct err *err)
{
    int fd = open_shared(folder, name);
    struct stat found;

    if (fd < 0 && errno != ELOOP)
        return err_errno(err, errno, "open the lock file %s", name);
    /* Another user could give a file of ours a second name here. */
    if (fd < 0 || fstat(fd, &found) || !S_ISREG(found.st_mode) ||
        found.st_nlink != 1) {
        if (fd >= 0)
            close(fd);
        return err_set(err, ERR_DENIED,
                       "%s is not a lock file; PROCTOR_LOCK_FOLDER names "
                       "another folder for them",
                       name);
    }
    /* The process that created it may have been killed before this. */
    if (found.st_uid == geteuid() && (found.st_mode & 07777) != 0666)
        (void)!fchmod(fd, 0666);
    return take(lock, fd, name, what, use == FILE_LOCK_BRIEF ? brief_mark : "",
                err);
}

bool file_lock_is_taken(int folder, const char *name, long *process)
{
    int fd =
        openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    char signature[SIGNATURE_MAX];
    bool taken;

    if (fd < 0)
        return false;
    taken = flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
    if (taken) {
        read_signature(fd, signature);
        taken = !strstr(signature, brief_mark);
        *process = process_in(signature);
    }
    close(fd);
    return taken;
}

void file_lock_release(struct file_lock *lock)
{
    if (lock->fd >= 0)
        close(lock->fd);
    lock->fd = -1;
}
