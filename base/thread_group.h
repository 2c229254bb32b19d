/*
 * Threads that are not joined one by one: each ends when its work is done, and
 * the owner waits until all have ended.
 */
#ifndef BASE_THREAD_GROUP_H
#define BASE_THREAD_GROUP_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

struct thread_group {
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t ended;
    size_t count; /* running */
    size_t limit;
    struct thread_group_member *done; /* owned; ended, to be joined */
};

typedef void thread_group_work_fn(void *context);

/* At most limit threads at the same time. */
void thread_group_init(struct thread_group *thread_group, size_t limit);

/* After thread_group_wait, or if none was started. */
void thread_group_release(struct thread_group *thread_group);

/*
 * Run work in a new thread. False when the limit is reached, or no thread can
 * be created.
 */
MUST_USE bool thread_group_start(struct thread_group *thread_group,
                                 thread_group_work_fn *work, void *context);

/* Block until every thread has ended. */
void thread_group_wait(struct thread_group *thread_group);

/* How many threads can run at once; at least 1. */
size_t thread_group_cores(void);

/*
 * Run the same work in several threads (0: one per core), including the calling
 * one, and block until all have finished.
 */
void thread_group_share(size_t threads, thread_group_work_fn *work,
                        void *context);

#endif
