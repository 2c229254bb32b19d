/*
 * One attempt at an episode, as the database has it: claimed, and given back or
 * ended with its result.
 *
 * Each request names the attempt and the secret of its claim, so that a worker
 * that was away too long changes nothing.
 */
#ifndef TOOLS_FARM_QUEUE_FARM_ATTEMPT_H
#define TOOLS_FARM_QUEUE_FARM_ATTEMPT_H

#include "runner/run/work_queue.h"
#include "tasks/json/text_list.h"
#include "tools/farm_queue/farm_store.h"
#include "tools/farm_queue/farm_worker.h"

/* What a worker does of a run. All of it is borrowed. */
struct farm_part {
    struct farm_worker *worker; /* its phones are those of the run */
    const struct farm_job *job;
    const struct text_list *tasks; /* of the plan */
    struct farm_store *store;
    const char *folder; /* in which the worker records */
};

#define FARM_TOKEN_SIZE 37

struct farm_attempt {
    int64_t episode;
    struct work_queue_item item;
    char token[FARM_TOKEN_SIZE]; /* the secret of its claim */
};

/* Make the secret of a claim that is about to be asked for. */
void farm_attempt_init(struct farm_attempt *attempt);

/*
 * Ask for an episode for a phone (its index), which offers this JSON. *found:
 * there was one; a repeated call gets the same. Fails as farm_worker_request.
 */
MUST_USE bool farm_attempt_claim(struct farm_attempt *attempt,
                                 const struct farm_part *part, size_t phone,
                                 const char *offer, bool *found,
                                 struct err *err);

/* Bring its recording to where it is published from; fails as the store. */
MUST_USE bool farm_attempt_stage(const struct farm_attempt *attempt,
                                 const struct farm_part *part, struct err *err);

/*
 * Give its result (NULL: there is none), then publish the recording that was
 * staged. *counts: the database has taken the result, also when publishing
 * fails.
 *
 * Fails with ERR_LOST if another worker has the episode; the recording is
 * discarded then. An attempt whose result the database refuses is void.
 */
MUST_USE bool farm_attempt_end(const struct farm_attempt *attempt,
                               const struct farm_part *part,
                               enum work_queue_outcome outcome,
                               const struct run_result *result, bool *counts,
                               struct err *err);

/* Give it back, for any worker to repeat; if that fails, its lease ends. */
void farm_attempt_return(const struct farm_attempt *attempt,
                         const struct farm_part *part);

/* The recording of the attempt; it refers to the part. */
struct farm_recording farm_attempt_recording(const struct farm_attempt *attempt,
                                             const struct farm_part *part);

#endif
