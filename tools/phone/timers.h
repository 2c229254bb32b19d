/*
 * What is to happen on the phone later: timers on its clock.
 *
 * A timer is plain data, so that it can be saved with the rest: who is to be
 * told, about whom, what, and when. Owners are named once, before the clock
 * moves. Timers fire in the order of their times, and those of one time in the
 * order in which they were set. Safe from any thread.
 */
#ifndef PHONE_TIMERS_H
#define PHONE_TIMERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/macros.h"
#include "tools/phone/parcel.h"

#define TIMERS_MAX 1024U
#define TIMERS_OWNERS_MAX 8U

struct timer {
    uint64_t id; /* counts them */
    int64_t due; /* nanoseconds since 1970, on the phone's clock */
    char owner[16];
    char about[128]; /* such as an app's package */
    int64_t what;    /* the owner knows */
};

/*
 * A timer is due. Called by the thread that moved the clock, which holds no
 * lock of the timers: others may be set here. The clock must not be moved.
 */
typedef void timers_fire_fn(void *context, const struct timer *timer);

struct timers_owner {
    const char *name; /* not longer than struct timer has it */
    timers_fire_fn *fire;
    void *context;
};

struct timers {
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    struct timer *timers; /* owned; in the order in which they fire */
    size_t count;
    uint64_t last_id;
    bool awake; /* nobody is to sleep here any more */

    struct timers_owner owners[TIMERS_OWNERS_MAX];
    size_t owner_count;
};

void timers_init(struct timers *timers);
void timers_release(struct timers *timers);

/* Before the clock moves. What nobody owns is dropped when it is due. */
void timers_own(struct timers *timers, const struct timers_owner *owner);

/* Set a timer; its id is given. False when there are too many. */
MUST_USE bool timers_set(struct timers *timers, const struct timer *timer,
                         uint64_t *id);

/* Was there one that had not fired? */
bool timers_cancel(struct timers *timers, uint64_t id);

/* Cancel all that this owner has about someone. */
void timers_forget(struct timers *timers, const char *owner, const char *about);

/* Take out the first that is due by then. False when there is none. */
MUST_USE bool timers_take(struct timers *timers, int64_t by,
                          struct timer *timer);

/* Tell the owner. */
void timers_fire(struct timers *timers, const struct timer *timer);

/*
 * Block until a timer is due, where the phone's clock is ahead of the
 * computer's monotonic one by so much, or until timers_wake.
 */
void timers_sleep(struct timers *timers, int64_t ahead);

/* Let nobody sleep from now on. */
void timers_wake(struct timers *timers);

/* What is loaded is due later by so much. */
void timers_save(struct timers *timers, struct buf *out);
void timers_load(struct timers *timers, int64_t later, struct parcel *in);

#endif
