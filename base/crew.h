/*
 * Threads that nobody joins one by one: each ends when its work is done, and
 * who is responsible for them waits until all have.
 */
#ifndef BASE_CREW_H
#define BASE_CREW_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

struct crew {
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t ended;
    size_t count; /* at work */
    size_t limit;
    struct member *done; /* owned; have ended, and are still to be joined */
};

typedef void crew_work_fn(void *context);

/* At most limit threads at once. */
void crew_init(struct crew *crew, size_t limit);

/* After crew_wait, or when none was ever started. */
void crew_release(struct crew *crew);

/* Do work on a new thread. False when the crew is full, or no thread is had. */
MUST_USE bool crew_start(struct crew *crew, crew_work_fn *work, void *context);

/* Block until every thread is gone. */
void crew_wait(struct crew *crew);

/*
 * Do the same work on so many threads (0: as many as there are cores), this
 * one among them, and block until each is done with it.
 */
void crew_share(size_t threads, crew_work_fn *work, void *context);

#endif
