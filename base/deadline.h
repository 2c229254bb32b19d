/*
 * Deadlines: the time at which a call must have ended, including all its parts.
 */
#ifndef BASE_DEADLINE_H
#define BASE_DEADLINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* A time on the monotonic clock, in nanoseconds. */
struct deadline {
    int64_t at_ns;
};

#define DEADLINE_NEVER ((struct deadline){INT64_MAX})

/* The monotonic clock, in nanoseconds. */
int64_t clock_ns(void);

/* Milliseconds since 1970, by the system's clock, which may be set. */
int64_t clock_wall_ms(void);

struct deadline deadline_in_ms(int64_t ms);
bool deadline_passed(struct deadline by);

/* Milliseconds left, rounded up, as poll() takes them: -1 means forever. */
int deadline_left_ms(struct deadline by);

/*
 * A condition variable on that clock, and the time for pthread_cond_timedwait.
 */
void deadline_cond_init(pthread_cond_t *cond);
struct timespec deadline_timespec(struct deadline by);

struct deadline deadline_sooner(struct deadline a, struct deadline b);
struct deadline deadline_later(struct deadline a, struct deadline b);

#endif
