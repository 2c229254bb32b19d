/*
 * The recordings of a run that are in a store: results.jsonl names where. They
 * are fetched into the run's folder, where all else finds them, when they are
 * needed; one that is there is not fetched again.
 */
#ifndef RUNNER_STORE_RUN_RECORDINGS_H
#define RUNNER_STORE_RUN_RECORDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "runner/store/store_client.h"

/* One that is not in the folder. */
struct run_recording {
    char *folder; /* owned; of the episode, below that of the run */
    char *url;    /* owned */
};

struct run_recordings {
    char *run;                   /* owned */
    struct run_recording *items; /* owned */
    size_t count;
};

/*
 * Find what is missing in the run's folder. A folder that is none of a run has
 * nothing missing. Fails as run_results_load. The caller releases it.
 */
MUST_USE bool run_recordings_find(const char *run,
                                  struct run_recordings *recordings,
                                  struct err *err);
void run_recordings_release(struct run_recordings *recordings);

/*
 * Fetch one of them: it is there when it is complete, or not at all. Several
 * threads may do it at once. Fails as store_client_fetch and
 * episode_archive_unpack.
 */
MUST_USE bool run_recordings_fetch(const struct run_recordings *recordings,
                                   size_t index, struct store_client *client,
                                   struct err *err);

#endif
