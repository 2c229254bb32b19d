/*
 * What is to be done in a run, handed out to whoever has a phone:
 *
 *     work_claim ──▶ (work_beat …) ──▶ work_finish
 *          ▲                               │ void, and not tried too often
 *          └───────────────────────────────┘
 *
 * One process today; a database behind the same calls later.
 */
#ifndef RUNNER_WORK_H
#define RUNNER_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/macros.h"

/* One attempt at a task. */
struct work_item {
    size_t task; /* its place in the plan */
    int repeat;
    int attempt; /* its folder's number */
};

/* How it went. */
enum work_outcome {
    WORK_ENDED,    /* as it is; never again */
    WORK_VOID,     /* again, within bounds */
    WORK_RETURNED, /* it was interrupted: hand it out again */
};

struct work;

/* At most tries attempts at an item are made here. */
struct work *work_open(size_t tasks, int repeats, int tries);
void work_close(struct work *work); /* NULL is fine */

/*
 * Before the first claim, for each attempt that was made before: its folder's
 * number is taken. RETURNED: it is neither an end nor a try.
 */
void work_known(struct work *work, const struct work_item *item,
                enum work_outcome outcome);

/*
 * Have something to do; blocks while others have all that is left, as it may
 * come back. False when there is nothing any more, or after work_stop.
 */
MUST_USE bool work_claim(struct work *work, struct work_item *item);

/* Still at it. False: stop, as work_stop was called. */
MUST_USE bool work_beat(struct work *work, const struct work_item *item);

void work_finish(struct work *work, const struct work_item *item,
                 enum work_outcome outcome);

/* Hand out nothing more. Any thread may. */
void work_stop(struct work *work);

/* Wait so long, or until nothing is left to do. */
void work_wait(struct work *work, int64_t ms);

struct work_state {
    size_t all;
    size_t ended;
    size_t given_up; /* void to the last try */
    size_t taken;    /* somebody is at them */
    bool stopped;
};

void work_look(struct work *work, struct work_state *state);

#endif
