/* The queue of a run on one computer: in memory, made from its folder. */
#ifndef RUNNER_RUN_MEMORY_QUEUE_H
#define RUNNER_RUN_MEMORY_QUEUE_H

#include "runner/run/work_queue.h"

/* At most `tries` attempts are made of an item. */
struct work_queue *memory_queue_open(size_t tasks, int repeats, int tries);

/*
 * Add an attempt of an earlier start, before the first claim: the number of its
 * folder is used. RETURNED: it counts neither as an end nor as a try.
 */
void memory_queue_add_known(struct work_queue *work,
                            const struct work_queue_item *item,
                            enum work_queue_outcome outcome);

/*
 * Keep only every count-th item, beginning with that at index: the part of one
 * of count runs that share the work. Before the first claim.
 */
void memory_queue_keep_shard(struct work_queue *work, int index, int count);

#endif
