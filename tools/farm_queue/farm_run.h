/*
 * A run in the queue, as the one who asked for it sees it: put there, followed,
 * repeated, cancelled and forgotten.
 */
#ifndef TOOLS_FARM_QUEUE_FARM_RUN_H
#define TOOLS_FARM_QUEUE_FARM_RUN_H

#include "base/buf.h"
#include "runner/run/run_file.h"
#include "runner/run/work_queue.h"
#include "tasks/task/suite.h"
#include "tools/farm_queue/farm_db.h"

#define FARM_LEASE_MS_DEFAULT 60000

/* What is put into the queue. All of it is borrowed. */
struct farm_order {
    const struct run_file *file;
    const struct suite *suite;
    const struct buf *suite_text;
    const char *recordings; /* for farm_store_open */
    int lease_ms;
};

/*
 * Put a run into the queue; its name there, which may be a longer one, is
 * appended to name. Fails as farm_needs_check and farm_db_request.
 */
MUST_USE bool farm_run_enqueue(struct farm_db *db,
                               const struct farm_order *order, struct buf *name,
                               struct err *err);

/*
 * Append the name that the queue gave to the run of this file, which may not
 * say so: its process may have been killed meanwhile. ERR_NOT_FOUND: the queue
 * does not have it. Otherwise fails as farm_db_request.
 */
MUST_USE bool farm_run_find(struct farm_db *db, const struct run_file *file,
                            struct buf *name, struct err *err);

/* Called for each result, once, in the order in which they were taken. */
struct farm_follower {
    void (*on_result)(void *context, const struct run_result *result,
                      const struct work_queue_state *state);
    /* The state has changed, or some time has passed. */
    void (*on_state)(void *context, const struct work_queue_state *state);
    void (*on_warning)(void *context, const char *text);
    void *context;
};

/*
 * Follow a run until nothing of it is waiting or taken: write its results.jsonl
 * and its phones in run.json, publish recordings whose workers were killed
 * before they could, and report results. *interrupted: by cancel, which is
 * borrowed. Requests are repeated while the database cannot be reached.
 */
MUST_USE bool farm_run_follow(struct farm_db *db, const char *name,
                              const char *folder, struct run_file *file,
                              const struct farm_follower *follower,
                              const struct cancel *cancel,
                              struct work_queue_state *state, bool *interrupted,
                              struct err *err);

/*
 * Void and cancelled episodes wait again; nothing more is begun; all of a
 * finished run but its recordings is forgotten. *count is the number of
 * episodes (or runs). ERR_NOT_FOUND: there is no such run.
 */
MUST_USE bool farm_run_retry(struct farm_db *db, const char *name,
                             int64_t *count, struct err *err);
MUST_USE bool farm_run_cancel(struct farm_db *db, const char *name,
                              int64_t *count, struct err *err);
/* name NULL: all finished runs that were queued more than so many days ago. */
MUST_USE bool farm_run_purge(struct farm_db *db, const char *name, double days,
                             int64_t *count, struct err *err);

#endif
