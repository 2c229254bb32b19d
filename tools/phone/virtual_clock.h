/*
 * The phone's clock, and the timers on it. Safe from any thread.
 *
 * Its time is virtual: it stands still until somebody moves it, and the
 * computer's clock has no part in it. So the same inputs always see the same
 * times. What moves it, and by how much:
 *
 *     a tap, a key, a text       CLOCK_TOUCH
 *     a swipe, a drag            as long as it takes
 *     sleep                      as long as it says
 *     a screenshot, a dump       CLOCK_LOOK, before it is taken
 *     a fault that delays        by the delay
 *     the console's "time"       as it says
 *
 * Nothing else does: any number of hosts may read files, properties or logs,
 * and no byte changes for the others. Hosts that look at the screen at the
 * same time all move the clock: what it shows in the end does not depend on
 * who came first, but what each of them saw may.
 *
 * A clock that is real is the computer's, for people: nothing above moves it,
 * a swipe takes its time, and timers fire by themselves.
 */
#ifndef PHONE_VIRTUAL_CLOCK_H
#define PHONE_VIRTUAL_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "tools/phone/clock.h"
#include "tools/phone/parcel.h"
#include "tools/phone/timers.h"

#define CLOCK_MILLISECOND (PHONE_SECOND / 1000)
#define CLOCK_TOUCH (50 * CLOCK_MILLISECOND)
#define CLOCK_LOOK (100 * CLOCK_MILLISECOND)

/* 2200-01-01: it stands still there, so that times can be added up. */
#define CLOCK_END (INT64_C(7258118400) * PHONE_SECOND)

struct virtual_clock {
    _Atomic int64_t now; /* nanoseconds since 1970, while it is virtual */
    _Atomic int64_t booted;
    struct timers timers;
    pthread_mutex_t moving; /* held while it moves, and timers fire */
    bool real;
    int64_t ahead;     /* while real, of the computer's monotonic clock */
    pthread_t driver;  /* while real: fires the timers */
    _Atomic bool done; /* the driver is to end */
};

/* A phone that was switched on an hour before its first moment. */
void virtual_clock_init(struct virtual_clock *clock, int64_t start);
void virtual_clock_release(struct virtual_clock *clock);

/*
 * Be the computer's clock from now on; before anybody moves it, and when all
 * owners of timers are named. Fails when no thread is to be had.
 */
MUST_USE bool virtual_clock_be_real(struct virtual_clock *clock,
                                    struct err *err);

/* Fire nothing by itself any more, before the owners of timers go. */
void virtual_clock_stop(struct virtual_clock *clock);

int64_t virtual_clock_now(struct virtual_clock *clock);
struct phone_clock virtual_clock_view(struct virtual_clock *clock);

/*
 * Move it, and fire what becomes due on the way, each at its time. Those who
 * look at the screen hold no lock of theirs meanwhile.
 */
void virtual_clock_advance(struct virtual_clock *clock, int64_t nanoseconds);

/* As long as an observation takes. */
void virtual_clock_look(struct virtual_clock *clock);

/*
 * Set a timer; its due is how long from now, at least a millisecond, and its
 * id is given. False when there are too many.
 */
MUST_USE bool virtual_clock_set_timer(struct virtual_clock *clock,
                                      struct timer timer, uint64_t *id);

/* Hold it still, for a snapshot. What moves it blocks until it is let go. */
void virtual_clock_hold(struct virtual_clock *clock);
void virtual_clock_let_go(struct virtual_clock *clock);

/* A real clock is not changed by loading; its timers are due as soon again. */
void virtual_clock_save(struct virtual_clock *clock, struct buf *out);
void virtual_clock_load(struct virtual_clock *clock, struct parcel *in);

#endif
