/*
 * One attempt at a task: setup, then observe, decide, act and record, until it
 * is done or the budget is used up.
 *
 *     setup ──▶ observe ──▶ decide ──▶ act ──┐
 *                  ▲         (the tree is    │
 *                  │   read at the same time)│
 *                  └─────────────────────────┤
 *                                            ▼
 *                       last observation ──▶ probes ──▶ end
 *
 * Everything is recorded in the episode's folder: see docs/format.md.
 */
#ifndef RUNNER_EPISODE_EPISODE_H
#define RUNNER_EPISODE_EPISODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/log.h"
#include "runner/agent.h"
#include "runner/episode/episode_policy.h"
#include "runner/episode/failure_cause.h"
#include "runner/episode/guard.h"
#include "runner/episode/takeover.h"
#include "runner/session/device_session.h"
#include "tasks/trajectory/run_results.h"

/* The progress of an episode. */
struct episode_state {
    const char *doing; /* "preparing", "step", "ending"; static */
    int step;          /* from 0 */
    int steps;         /* the budget */
    int64_t left_ms;   /* of the time budget */
    const char *note;  /* what the agent waits for, valid during the call; NULL:
                          nothing */
    const char *last;  /* what the last action did, also that of a person, valid
                          during the call; "": none yet */
};

/* False: stop as if interrupted. */
typedef bool episode_watch_fn(void *context, const struct episode_state *state);

/* All of it is borrowed. */
struct episode_options {
    const char *run;          /* folder of the run */
    const struct task *task;  /* as in the suite */
    const char *suite_folder; /* folder of the suite's files; NULL: none */
    int repeat;
    int attempt;
    const char *agent_name;
    struct agent *agent;
    struct device_session *session; /* open */
    const char *locale;             /* "en" or "zh"; NULL: the phone's own */
    const struct episode_policy *policy;
    const struct guard *guard; /* NULL: no guard */
    /* how a person takes over; NULL: not possible */
    struct takeover *takeover;
    const struct cancel *cancel;
    episode_watch_fn *watch;
    void *watch_context;
};

/* How it ended. */
struct episode_end {
    enum failure_cause failure_cause;
    struct err error; /* of a failure: what failed */
    /* owned; its ending is NONE after an interruption */
    struct run_result result;
};

/*
 * Run the episode. All failures are reported in *end, whose result the caller
 * releases.
 */
void episode_run(const struct episode_options *options,
                 struct episode_end *end);

#endif
