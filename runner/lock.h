/*
 * One process per phone, and one per run: lock files, which the system lets go
 * of when their process ends in whatever way.
 */
#ifndef RUNNER_LOCK_H
#define RUNNER_LOCK_H

#include <stdbool.h>

#include "base/err.h"

struct lock {
    int fd; /* owned; -1: none */
};

#define LOCK_INIT                                                              \
    {                                                                          \
        .fd = -1                                                               \
    }

/* Lock a file, which is made. ERR_BUSY, and by which process, if it is. */
MUST_USE bool lock_take(struct lock *lock, const char *path, const char *what,
                        struct err *err);

/* Lock the phone of this serial, for all programs of this user. */
MUST_USE bool lock_phone(struct lock *lock, const char *serial,
                         struct err *err);

void lock_release(struct lock *lock); /* none is fine */

#endif
