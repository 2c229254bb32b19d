/* Wait until another thread of the test blocks, without a fixed sleep. */
#ifndef TESTS_SUPPORT_BLOCKED_THREAD_H
#define TESTS_SUPPORT_BLOCKED_THREAD_H

#include <stdatomic.h>

/* All zeros until its thread has called blocked_thread_enter. */
struct blocked_thread {
    atomic_int id;
};

/* Called by the thread right before the call that is expected to block. */
void blocked_thread_enter(struct blocked_thread *thread);

/*
 * Return when the thread sleeps in the kernel. Fails the running test if it
 * does not within a minute. A thread may also sleep for another reason, such as
 * a lock.
 */
void blocked_thread_await(struct blocked_thread *thread);

#endif
