/*
 * Wrong twins of a recording as steps that a phone can carry out, each target
 * with ways to find it.
 */
#ifndef RUNNER_RECORDING_TWIN_WAY_H
#define RUNNER_RECORDING_TWIN_WAY_H

#include "judge/gold/twins.h"
#include "tasks/task/task_gold.h"

struct twin_way {
    enum twin_kind kind;
    char *description; /* owned */
    struct task_gold steps;
};

struct twin_ways {
    struct twin_way *items; /* owned */
    size_t count;
};

/* The caller releases them; they borrow nothing of the twins. */
void twin_ways_make(const struct twins *twins, struct twin_ways *ways);
void twin_ways_release(struct twin_ways *ways);

#endif
