/*
 * A worker as the queue knows it: registered with what its phones offer, and
 * looking for runs. farm_queue.h does the episodes of one.
 */
#ifndef TOOLS_FARM_QUEUE_FARM_WORKER_H
#define TOOLS_FARM_QUEUE_FARM_WORKER_H

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "tools/farm_queue/farm_db.h"

struct farm_worker;

/* A worker shows that it is alive at least this often. */
#define FARM_WORKER_SEEN_MS 20000

/* All of it is borrowed, and must outlive the worker. */
struct farm_worker_options {
    const char *url;
    const char *name; /* for people */
    /* [{"serial": "…", "offers": ["kind:builtin", …]}, …] */
    const struct cJSON *phones;
    const struct cancel *interrupt;
    /* Tell the user; called by any thread. */
    void (*warn)(void *context, const char *text);
    void *context;
};

/*
 * Connect and register. Fails as farm_schema_check and farm_db_request.
 */
MUST_USE bool farm_worker_open(const struct farm_worker_options *options,
                               struct farm_worker **worker, struct err *err);
void farm_worker_close(struct farm_worker *worker); /* NULL is fine */

int64_t farm_worker_id(const struct farm_worker *worker);
const struct cJSON *farm_worker_phones(const struct farm_worker *worker);

/*
 * Lock a phone for this worker, by what is the same wherever it is reached
 * from. Fails with ERR_BUSY.
 */
MUST_USE bool farm_worker_lock_phone(struct farm_worker *worker,
                                     const char *identity, struct err *err);

/* A run with work for this worker. The texts are owned. */
struct farm_job {
    int64_t run;
    char *name;
    char *file;       /* run.json */
    char *suite;      /* suite.json */
    char *recordings; /* for farm_store_open */
    int lease_ms;
};

void farm_job_release(struct farm_job *job);

/*
 * Wait for a run that has work for one of the phones; refused is an array of
 * runs that are left out. *job is empty (run 0) after the interrupt, or when
 * there is no work and wait is false.
 */
MUST_USE bool farm_worker_next(struct farm_worker *worker,
                               const struct cJSON *refused, bool wait,
                               struct farm_job *job, struct err *err);

/* Tell the queue what keeps this worker from its work; NULL: nothing. */
void farm_worker_report(struct farm_worker *worker, const char *trouble);

/*
 * Carry out a request whose first two parameters ($1, $2) are the worker and
 * its secret. It is repeated while the database cannot be reached, so it must
 * be one that may be repeated: until the interrupt, and then for a few seconds.
 */
MUST_USE bool farm_worker_request(struct farm_worker *worker, const char *sql,
                                  const char *const *parameters, size_t count,
                                  struct farm_rows **rows, struct err *err);

/*
 * Renew leases by the secrets of their claims, an array of PostgreSQL ("{}":
 * the worker only shows that it is alive); *held has the secrets of those that
 * it still has, NULL: they are not wanted. Not repeated.
 */
MUST_USE bool farm_worker_renew(struct farm_worker *worker, const char *tokens,
                                struct farm_rows **held, struct err *err);

/* Until a notification, the deadline, the interrupt, or wake is fired. */
void farm_worker_wait(struct farm_worker *worker, struct deadline by,
                      const struct cancel *wake);

void farm_worker_warn(struct farm_worker *worker, const char *text);

#endif
