/*
 * The items of a run, given out to workers that have a phone:
 *
 *     work_queue_claim ──▶ (work_queue_heartbeat …) ──▶ work_queue_finish
 *          ▲                                                  │ void, and tries
 *          └──────────────────────────────────────────────────┘ are left
 */
#ifndef RUNNER_RUN_WORK_QUEUE_H
#define RUNNER_RUN_WORK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/macros.h"

/* One attempt at a task. */
struct work_queue_item {
    size_t task; /* its index in the plan */
    int repeat;
    int attempt; /* number of its folder */
};

/* The outcome of an attempt. */
enum work_queue_outcome {
    WORK_QUEUE_ENDED,    /* it ended: not repeated */
    WORK_QUEUE_VOID,     /* void: repeated within bounds */
    WORK_QUEUE_RETURNED, /* it was interrupted: repeated */
};

struct work_queue;

/* At most `tries` attempts are made of an item. */
struct work_queue *work_queue_open(size_t tasks, int repeats, int tries);
void work_queue_close(struct work_queue *work); /* NULL is fine */

/*
 * Add an attempt of an earlier start, before the first claim: the number of its
 * folder is used. RETURNED: it counts neither as an end nor as a try.
 */
void work_queue_add_known(struct work_queue *work,
                          const struct work_queue_item *item,
                          enum work_queue_outcome outcome);

/*
 * Take the next item; blocks while other workers have all that are left, as
 * they may return them. False when nothing is left, or after work_queue_stop.
 */
MUST_USE bool work_queue_claim(struct work_queue *work,
                               struct work_queue_item *item);

/*
 * The item is still being worked on. False: stop, work_queue_stop was called.
 */
MUST_USE bool work_queue_heartbeat(struct work_queue *work,
                                   const struct work_queue_item *item);

void work_queue_finish(struct work_queue *work,
                       const struct work_queue_item *item,
                       enum work_queue_outcome outcome);

/* Give out no more items. Safe from any thread. */
void work_queue_stop(struct work_queue *work);

/* Wait for so long, or until nothing is left to do. */
void work_queue_wait(struct work_queue *work, int64_t ms);

struct work_queue_state {
    size_t all;
    size_t ended;
    size_t given_up; /* void in all tries */
    size_t taken;    /* being worked on */
    bool stopped;
};

void work_queue_get_state(struct work_queue *work,
                          struct work_queue_state *state);

#endif
