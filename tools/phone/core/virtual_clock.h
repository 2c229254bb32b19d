/*
 * The phone's clock, and the timers on it. Safe from any thread.
 *
 * Its time is virtual: it does not move until it is moved, and does not depend
 * on the computer's clock, so the same inputs always see the same times. What
 * moves it, and by how much:
 *
 *     a tap, a key, a text       CLOCK_TOUCH
 *     a swipe, a drag            its duration
 *     sleep                      its argument
 *     a screenshot, a dump       CLOCK_LOOK, before it is taken
 *     a fault that delays        the delay
 *     the console's "time"       its argument
 *
 * Nothing else moves it: any number of hosts may read files, properties or logs
 * without changing what the others see. Hosts that read the screen at the same
 * time all move the clock: the final screen does not depend on their order, but
 * what each of them saw may.
 *
 * A real clock follows the computer's, for interactive use: nothing above moves
 * it, a swipe takes real time, and a thread fires the timers.
 */
#ifndef TOOLS_PHONE_CORE_VIRTUAL_CLOCK_H
#define TOOLS_PHONE_CORE_VIRTUAL_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "tools/phone/core/clock.h"
#include "tools/phone/core/saved_state.h"
#include "tools/phone/core/timers.h"

#define CLOCK_MILLISECOND (PHONE_SECOND / 1000)
#define CLOCK_TOUCH (50 * CLOCK_MILLISECOND)
#define CLOCK_LOOK (100 * CLOCK_MILLISECOND)

/*
 * 2200-01-01: the clock stops there, so that times can be added without
 * overflow.
 */
#define CLOCK_END (INT64_C(7258118400) * PHONE_SECOND)

struct virtual_clock {
    _Atomic int64_t now; /* nanoseconds since 1970, while it is virtual */
    _Atomic int64_t booted;
    struct phone_timers timers;
    pthread_mutex_t moving; /* held while it moves and timers fire */
    bool real;
    int64_t ahead;    /* while real, offset to the computer's monotonic clock */
    pthread_t driver; /* while real: fires the timers */
    _Atomic bool done; /* the thread must end */
};

/* A phone that was switched on an hour before. */
void virtual_clock_init(struct virtual_clock *clock, int64_t start);
void virtual_clock_release(struct virtual_clock *clock);

/*
 * Follow the computer's clock. Call it before the clock is moved and after all
 * owners of timers are registered. Fails if no thread can be started.
 */
MUST_USE bool virtual_clock_be_real(struct virtual_clock *clock,
                                    struct err *err);

/* Stop the thread that fires timers, before their owners are freed. */
void virtual_clock_stop(struct virtual_clock *clock);

int64_t virtual_clock_now(struct virtual_clock *clock);
struct phone_time_source virtual_clock_view(struct virtual_clock *clock);

/*
 * Move it, and fire the timers that become due, each at its time. The caller
 * must not hold the screen's lock.
 */
void virtual_clock_advance(struct virtual_clock *clock, int64_t nanoseconds);

/* Move it by the duration of an observation. */
void virtual_clock_look(struct virtual_clock *clock);

/*
 * Set a timer; due is relative to now, at least a millisecond. Fills in its id.
 * False when there are too many.
 */
MUST_USE bool virtual_clock_set_timer(struct virtual_clock *clock,
                                      struct phone_timer timer, uint64_t *id);

/* Freeze it, for a snapshot. Moving it blocks until it is released. */
void virtual_clock_hold(struct virtual_clock *clock);
void virtual_clock_let_go(struct virtual_clock *clock);

/* Loading does not change a real clock; timers keep their remaining time. */
void virtual_clock_save(struct virtual_clock *clock, struct buf *out);
void virtual_clock_load(struct virtual_clock *clock, struct saved_state *in);

#endif
