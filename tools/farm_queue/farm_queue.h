/*
 * The queue of a run in a database, for the phones of one worker: the second
 * implementation of work_queue.h.
 *
 * A claim gives a lease that ends by the database's clock and is renewed three
 * times in its duration. Every write names the attempt and the secret of its
 * claim, so that a worker that was away too long changes nothing.
 */
#ifndef TOOLS_FARM_QUEUE_FARM_QUEUE_H
#define TOOLS_FARM_QUEUE_FARM_QUEUE_H

#include "runner/run/work_queue.h"
#include "tasks/json/text_list.h"
#include "tools/farm_queue/farm_store.h"
#include "tools/farm_queue/farm_worker.h"

/* All of it is borrowed. */
struct farm_queue_options {
    struct farm_worker *worker; /* its phones are those of the run */
    const struct farm_job *job;
    const struct text_list *tasks; /* of the plan */
    struct farm_store *store;
    const char *folder; /* in which the worker records */
};

MUST_USE bool farm_queue_open(const struct farm_queue_options *options,
                              struct work_queue **queue, struct err *err);

/*
 * Could all recordings be brought to the store? Fails as the store did. The
 * episode was returned then, and the queue stopped.
 */
MUST_USE bool farm_queue_check(struct work_queue *queue, struct err *err);

#endif
