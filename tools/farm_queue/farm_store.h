/*
 * Where the recordings of a queued run go. A worker records into a folder of
 * its own; a recording becomes a part of the run after the database has taken
 * its result:
 *
 *     prepare ──▶ (record) ──▶ stage ──▶ result in the database ──▶ publish
 *
 * What is lost in between is only the last step, which may be repeated by
 * any process; an attempt whose result was refused is never published.
 */
#ifndef TOOLS_FARM_QUEUE_FARM_STORE_H
#define TOOLS_FARM_QUEUE_FARM_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* One attempt. All of it is borrowed. */
struct farm_recording {
    int64_t worker; /* its number in the queue */
    const char *task;
    int repeat;
    int attempt;
};

struct farm_store;

struct farm_store_ops {
    /* Append the folder in which this worker records the run, and make it. */
    bool (*work_folder)(struct farm_store *store, int64_t worker,
                        struct buf *folder, struct err *err);
    /* Put aside what an earlier claim of the same attempt has left. */
    bool (*prepare)(struct farm_store *store,
                    const struct farm_recording *recording, struct err *err);
    /* Bring the recording to where publish finds it. */
    bool (*stage)(struct farm_store *store,
                  const struct farm_recording *recording, struct err *err);
    /* Make it a part of the run; a repeated call succeeds. */
    bool (*publish)(struct farm_store *store,
                    const struct farm_recording *recording, struct err *err);
    void (*close)(struct farm_store *store);
};

/* The first member of every implementation. */
struct farm_store {
    const struct farm_store_ops *ops;
};

/*
 * Open the store of a run by the text in the queue: the run's folder, which all
 * workers share. Fails with ERR_NOT_FOUND when it does not hold that run here,
 * and ERR_INVALID.
 */
MUST_USE bool farm_store_open(const char *where, const char *run,
                              struct farm_store **store, struct err *err);
void farm_store_close(struct farm_store *store); /* NULL is fine */

#endif
