/*
 * Where the recordings of a queued run go. A worker records into a folder of
 * its own; a recording becomes a part of the run after the database has taken
 * its result:
 *
 *     prepare ──▶ (record) ──▶ stage ──▶ result in the database ──▶ publish
 *
 * A worker that is killed in between loses only the last step. In a shared
 * folder any process may repeat it. In a store with addresses a recording is
 * complete, or not there, and the result in the database is what makes it a
 * part of the run: publish only removes what its worker does not need any more.
 * An attempt whose result was refused is discarded instead.
 */
#ifndef TOOLS_FARM_QUEUE_FARM_STORE_H
#define TOOLS_FARM_QUEUE_FARM_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "base/err.h"
#include "tools/farm_queue/recording_server.h"

/* One attempt. All of it is borrowed. */
struct farm_recording {
    int64_t worker; /* its number in the queue */
    const char *task;
    int repeat;
    int attempt;
};

struct farm_store;

struct farm_store_ops {
    /* May this worker bring recordings there? folder is its work_folder. */
    bool (*check)(struct farm_store *store, const char *folder,
                  struct err *err);
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
    /* Its result was refused: remove what is on this worker. In a shared
     * folder, where people may look at it, it stays. */
    void (*discard)(struct farm_store *store,
                    const struct farm_recording *recording);
    /* Append where to fetch it, for results.jsonl; nothing: publish has
     * brought it into the run's folder. given: what its worker says, untrusted;
     * NULL: this is its worker. */
    void (*locate)(struct farm_store *store,
                   const struct farm_recording *recording, const char *given,
                   struct buf *url);
    void (*close)(struct farm_store *store);
};

/* The first member of every implementation. */
struct farm_store {
    const struct farm_store_ops *ops;
};

/* All of it is borrowed. */
struct farm_store_options {
    const char *run;   /* its name */
    const char *where; /* as in the queue: the run's folder, which all workers
                          share, s3://BUCKET/FOLDER/RUN, or worker:/RUN */
    const char *local; /* where this worker records, if there is no such folder;
                          NULL: it does not record */
    const struct recording_server *server; /* of this worker; NULL: none */
    const struct cancel *cancel;
    void (*warn)(void *context, const char *text);
    void *context;
};

/* Recordings stay on workers. */
#define FARM_STORE_KEPT "worker:"

/*
 * Open the store of a run. Fails with ERR_NOT_FOUND when the folder does not
 * hold that run here, ERR_INVALID, and as store_client_open.
 */
MUST_USE bool farm_store_open(const struct farm_store_options *options,
                              struct farm_store **store, struct err *err);
void farm_store_close(struct farm_store *store); /* NULL is fine */

/* Is it a folder that all share? Else each worker records into its own. */
bool farm_store_is_folder(const char *where);

/* ---- for implementations ---- */

MUST_USE bool farm_store_kept_open(const struct farm_store_options *options,
                                   struct farm_store **store, struct err *err);

MUST_USE bool farm_store_s3_open(const struct farm_store_options *options,
                                 struct farm_store **store, struct err *err);

/* Append the folder of a worker, or of one of its recordings, below folder. */
void farm_store_name_work(const char *folder, int64_t worker, struct buf *path);
void farm_store_name_recorded(const char *folder,
                              const struct farm_recording *recording,
                              struct buf *path);
/* The prepare of a folder. */
MUST_USE bool farm_store_put_aside(const char *folder,
                                   const struct farm_recording *recording,
                                   struct err *err);

#endif
