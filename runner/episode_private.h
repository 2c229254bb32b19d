/* What the parts of an episode share. */
#ifndef RUNNER_EPISODE_PRIVATE_H
#define RUNNER_EPISODE_PRIVATE_H

#include "runner/episode.h"
#include "runner/streak.h"

struct episode {
    const struct episode_options *options;
    char *folder;      /* owned; absolute or as the run's is */
    char *name;        /* owned; within the run's folder */
    struct task asked; /* the task as it is asked */
    bool resolved;     /* there is one */
    char *instruction; /* owned */
    char locale[8];    /* "en" or "zh" */
    uint32_t actions;
    int steps;
    struct trajectory_writer *writer;
    int64_t started_ns;
    struct deadline by; /* the time budget */

    int step;
    struct observation seen;
    struct elements elements;
    struct streak streak;
    struct agent_past *past; /* owned, with all in it */
    size_t past_count;
    char *notice; /* owned; for the next decision; NULL */
    char *answer; /* owned; what the agent answered; NULL */

    enum trajectory_ending ending;
    char reason[256];
    enum mishap_place place; /* where something failed */
};

/* Milliseconds since the start. */
int64_t episode_now(const struct episode *episode);

/* Is in place, for when it fails. Always false. */
bool episode_fails(struct episode *episode, enum mishap_place place);

/* ---- episode_begin.c ---- */

/* Bring the phone to where the task begins, and create the records. */
MUST_USE bool episode_prepare(struct episode *episode, struct err *err);

/* Create the records, without a task if there is none yet. */
MUST_USE bool episode_create(struct episode *episode, struct err *err);

/* Record the task's probes; before: only what must not change. */
MUST_USE bool episode_probe(struct episode *episode, bool before,
                            struct err *err);

/* Take the files that the task compares off the phone. */
MUST_USE bool episode_fetch(struct episode *episode, struct err *err);

/* Record what the phone knows of what was done, where it knows. */
MUST_USE bool episode_tell_truth(struct episode *episode, struct err *err);

/* ---- episode_step.c ---- */

/* See, decide and act once. episode->ending is set when that was the last. */
MUST_USE bool episode_step(struct episode *episode, struct err *err);

/* Record what is seen, tree included. */
MUST_USE bool episode_record_sight(struct episode *episode, struct err *err);

#endif
