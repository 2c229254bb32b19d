/*
 * A run: every task, as often as asked for, on as many phones as there are.
 *
 * One worker per phone takes what is next (work.h), and makes an attempt at
 * it (episode.h). What is void is tried again, on whichever phone is free. A
 * phone that is lost is taken out, looked for again and again, and comes back.
 */
#ifndef RUNNER_RUN_H
#define RUNNER_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cancel.h"
#include "runner/agents.h"
#include "runner/episode.h"
#include "runner/run_file.h"
#include "runner/source.h"
#include "runner/work.h"
#include "tasks/results.h"

/* One of the phones. */
struct run_phone {
    struct source *source; /* borrowed */
    const char *serial;    /* borrowed */
    bool ours;             /* made here: no other program can use it */
};

/* What a phone is at. */
struct run_sight {
    size_t phone;              /* its place in run_options.phones */
    const char *task;          /* NULL: none */
    struct work_item item;     /* which of it */
    struct episode_state step; /* how far */
    const char *trouble;       /* why the phone is out; NULL: it is not */
};

/* Told of what happens, one at a time, by any thread. */
struct run_watcher {
    void (*sees)(void *context, const struct run_sight *sight);
    void (*hears)(void *context, const struct result *result,
                  const struct work_state *state);
    void *context;
};

/* All of it is borrowed. */
struct run_options {
    const char *folder;    /* the run's, which is there */
    struct run_file *file; /* its devices are filled in */
    const struct suite *suite;
    const struct task *const *tasks; /* those of the plan, in its order */
    const struct run_phone *phones;
    size_t phone_count;
    struct agents *agents;
    struct spending *spending; /* ends the run when it is used up; NULL */
    const char *cache;         /* what is remembered of phones; NULL: nothing */
    const char *keyboard_apk;  /* NULL: none may be installed */
    const struct guard *guard; /* of somebody's phones; NULL: none */
    struct prepare_options prepare; /* the same */
    struct run_watcher watcher;
    const struct cancel *cancel;
    const struct log *log;
    int64_t alone_ms; /* that it goes on without any phone; 0: a minute */
    bool again_void;  /* what is void is tried again, as `retry` does */
};

/* Of all attempts, those of earlier programs included. */
struct run_summary {
    struct work_state work; /* zeros: what was done before cannot be read */
    bool interrupted;
};

/*
 * Do all that is not done yet. Fails with ERR_LOST when no phone is left, and
 * with what would let everything else fail, too. An interruption is no
 * failure: the summary says so.
 */
MUST_USE bool run_do(const struct run_options *options,
                     struct run_summary *summary, struct err *err);

#endif
