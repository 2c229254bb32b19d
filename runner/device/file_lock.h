/*
 * Lock files. The kernel releases a lock when its process ends, also by a kill.
 */
#ifndef RUNNER_DEVICE_FILE_LOCK_H
#define RUNNER_DEVICE_FILE_LOCK_H

#include <stdbool.h>

#include "base/err.h"

struct file_lock {
    int fd; /* owned; -1: not locked */
};

#define FILE_LOCK_INIT                                                         \
    {                                                                          \
        .fd = -1                                                               \
    }

/*
 * Lock a file, which is created if it is missing. what names it in errors.
 * Blocks for a moment while another process only looks who has it. Fails with
 * ERR_BUSY and the process that has it, and with ERR_IO.
 */
MUST_USE bool file_lock_take(struct file_lock *lock, const char *path,
                             const char *what, struct err *err);

/* How long a lock is kept: processes wait for the end of a brief use. */
enum file_lock_use {
    FILE_LOCK_LONG,
    FILE_LOCK_BRIEF, /* for some seconds at most */
};

/*
 * The same for the file name in an open folder, which every user of this
 * computer may lock. Blocks for some seconds at most, while another process
 * uses it briefly. Fails with ERR_DENIED, too, for anything but a regular file
 * with one name.
 */
MUST_USE bool file_lock_take_shared(struct file_lock *lock, int folder,
                                    const char *name, const char *what,
                                    enum file_lock_use use, struct err *err);

/*
 * Is the file name in an open folder locked, and not only briefly? *process is
 * then who has it, 0: not known. A file that is missing is not locked.
 */
bool file_lock_is_taken(int folder, const char *name, long *process);

void file_lock_release(struct file_lock *lock); /* not locked is fine */

#endif
