/*
 * The queue of a run in a database, for the phones of one worker: the second
 * implementation of work_queue.h.
 *
 * A claim gives a lease that ends by the database's clock and is renewed three
 * times in its duration or more often, as long as the worker has its episode.
 */
#ifndef TOOLS_FARM_QUEUE_FARM_QUEUE_H
#define TOOLS_FARM_QUEUE_FARM_QUEUE_H

#include "tools/farm_queue/farm_attempt.h"

/* Fails where no thread can be started. What part refers to is borrowed. */
MUST_USE bool farm_queue_open(const struct farm_part *part,
                              struct work_queue **queue, struct err *err);

/*
 * Could this worker do its part? Fails as what it cannot do: ask for episodes,
 * record them, or bring recordings to the store. The episode was returned then,
 * and the queue stopped.
 */
MUST_USE bool farm_queue_check(struct work_queue *queue, struct err *err);

#endif
