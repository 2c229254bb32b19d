/*
 * Timers on the phone's clock. A timer is plain data, so that a snapshot can
 * contain it: its owner, a subject, a number, and its due time. Owners are
 * registered once, before the clock moves. Timers fire in the order of their
 * times; equal times in the order in which they were set. Safe from any thread.
 */
#ifndef TOOLS_PHONE_CORE_TIMERS_H
#define TOOLS_PHONE_CORE_TIMERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/macros.h"
#include "tools/phone/core/saved_state.h"

#define TIMERS_MAX 1024U
#define TIMERS_OWNERS_MAX 8U

struct phone_timer {
    uint64_t id; /* a running number */
    int64_t due; /* nanoseconds since 1970, on the phone's clock */
    char owner[16];
    char about[128]; /* for the owner, such as an app's package */
    int64_t what;    /* for the owner */
};

/*
 * Called when a timer is due, by the thread that moved the clock. It holds no
 * lock of the timers: others may be set here. The clock must not be moved.
 */
typedef void timers_fire_fn(void *context, const struct phone_timer *timer);

struct timers_owner {
    const char *name; /* at most as long as in struct phone_timer */
    timers_fire_fn *fire;
    void *context;
};

struct phone_timers {
    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t changed;
    struct phone_timer *timers; /* owned; in firing order */
    size_t count;
    uint64_t last_id;
    bool awake; /* timers_sleep returns at once */

    struct timers_owner owners[TIMERS_OWNERS_MAX];
    size_t owner_count;
};

void timers_init(struct phone_timers *timers);
void timers_release(struct phone_timers *timers);

/*
 * Register an owner, before the clock moves. Timers without an owner are
 * dropped when they are due.
 */
void timers_own(struct phone_timers *timers, const struct timers_owner *owner);

/* Set a timer, and fill in its id. False when there are too many. */
MUST_USE bool timers_set(struct phone_timers *timers,
                         const struct phone_timer *timer, uint64_t *id);

/* True if there was one that had not fired. */
bool timers_cancel(struct phone_timers *timers, uint64_t id);

/* Cancel all timers of this owner with this subject. */
void timers_forget(struct phone_timers *timers, const char *owner,
                   const char *about);

/* Remove the first timer due by then. False if there is none. */
MUST_USE bool timers_take(struct phone_timers *timers, int64_t by,
                          struct phone_timer *timer);

/* Call the owner. */
void timers_fire(struct phone_timers *timers, const struct phone_timer *timer);

/*
 * Block until a timer is due, or until timers_wake. offset is how far the
 * phone's clock is ahead of the computer's monotonic clock.
 */
void timers_sleep(struct phone_timers *timers, int64_t ahead);

/* Wake timers_sleep, now and from now on. */
void timers_wake(struct phone_timers *timers);

/* Shift the due times of loaded timers by this much. */
void timers_save(struct phone_timers *timers, struct buf *out);
void timers_load(struct phone_timers *timers, int64_t later,
                 struct saved_state *in);

#endif
