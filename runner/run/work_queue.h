/*
 * The items of a run, given out to workers that have a phone:
 *
 *     work_queue_claim ──▶ (work_queue_heartbeat …) ──▶ work_queue_finish
 *          ▲                                                  │ void, and tries
 *          └──────────────────────────────────────────────────┘ are left
 *
 * This is the interface; memory_queue.h is the queue of one process, and
 * tools/farm_queue/farm_queue.h that of many, in a database.
 */
#ifndef RUNNER_RUN_WORK_QUEUE_H
#define RUNNER_RUN_WORK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "tasks/trajectory/run_results.h"

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
    WORK_QUEUE_HOPELESS, /* void, and would be so again: not repeated */
    WORK_QUEUE_RETURNED, /* it was interrupted: repeated */
};

struct work_queue_state {
    size_t all; /* 0: not known */
    size_t ended;
    size_t given_up; /* void in all tries */
    size_t taken;    /* being worked on */
    bool stopped;
};

struct work_queue;

/* The operations of an implementation; see the functions below. */
struct work_queue_ops {
    bool (*claim)(struct work_queue *work, size_t phone,
                  struct work_queue_item *item);
    bool (*heartbeat)(struct work_queue *work,
                      const struct work_queue_item *item);
    bool (*finish)(struct work_queue *work, const struct work_queue_item *item,
                   enum work_queue_outcome outcome,
                   const struct run_result *result);
    void (*stop)(struct work_queue *work);
    void (*wait)(struct work_queue *work, int64_t ms);
    void (*get_state)(struct work_queue *work, struct work_queue_state *state);
    void (*close)(struct work_queue *work);
};

/* The first member of every implementation. */
struct work_queue {
    const struct work_queue_ops *ops;
};

void work_queue_close(struct work_queue *work); /* NULL is fine */

/*
 * Take the next item that this phone (its index in the run) can do; blocks
 * while other workers of this process have all that are left, as they may
 * return them. False when nothing is left, or after work_queue_stop.
 */
MUST_USE bool work_queue_claim(struct work_queue *work, size_t phone,
                               struct work_queue_item *item);

/*
 * The item is still being worked on. False: stop, because work_queue_stop was
 * called or the item has been given to another worker.
 */
MUST_USE bool work_queue_heartbeat(struct work_queue *work,
                                   const struct work_queue_item *item);

/*
 * The attempt has ended; result is NULL if there is none. False: the item had
 * been given to another worker, so this attempt does not count.
 */
bool work_queue_finish(struct work_queue *work,
                       const struct work_queue_item *item,
                       enum work_queue_outcome outcome,
                       const struct run_result *result);

/* Give out no more items. Safe from any thread. */
void work_queue_stop(struct work_queue *work);

/* Wait for this time, or until nothing is left to do. */
void work_queue_wait(struct work_queue *work, int64_t ms);

void work_queue_get_state(struct work_queue *work,
                          struct work_queue_state *state);

/* Is there nothing left to do, or was it stopped? */
bool work_queue_is_over(struct work_queue *work);

#endif
