/*
 * One attempt at a task: reset, set up, and then see, decide, act, record,
 * until it is done or out of budget.
 *
 *     prepare ──▶ see ──▶ decide ──▶ act ──┐
 *                  ▲        (the tree is   │
 *                  │     read meanwhile)   │
 *                  └───────────────────────┤
 *                                          ▼
 *                     see once more ──▶ probe ──▶ end
 *
 * Whatever happens is in the episode's folder; docs/format.md has what.
 */
#ifndef RUNNER_EPISODE_H
#define RUNNER_EPISODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/log.h"
#include "runner/agent.h"
#include "runner/guard.h"
#include "runner/mishap.h"
#include "runner/policy.h"
#include "runner/session.h"
#include "tasks/results.h"

/* How far it is, for who watches. */
struct episode_state {
    const char *doing; /* "preparing", "step", "ending"; static */
    int step;          /* from 0 */
    int steps;         /* the budget */
    int64_t left_ms;   /* of the time budget */
};

/* False: stop as if interrupted. */
typedef bool episode_watch_fn(void *context, const struct episode_state *state);

/* All of it is borrowed. */
struct episode_options {
    const char *run;          /* the run's folder */
    const struct task *task;  /* as the suite has it */
    const char *suite_folder; /* what lies beside the suite; NULL */
    int repeat;
    int attempt;
    const char *agent_name;
    struct agent *agent;
    struct session *session; /* open */
    const char *locale;      /* "en" or "zh"; NULL: the phone's own */
    const struct policy *policy;
    const struct guard *guard; /* NULL: none is needed */
    const struct cancel *cancel;
    episode_watch_fn *watch;
    void *watch_context;
};

/* How it ended. */
struct episode_end {
    enum mishap mishap;
    struct err error;     /* of a mishap: what failed */
    struct result result; /* owned; ending NONE when it was interrupted */
};

/*
 * Run it. Everything that can go wrong is in *end, which the caller releases
 * by result_release.
 */
void episode_run(const struct episode_options *options,
                 struct episode_end *end);

#endif
