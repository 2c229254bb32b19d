/*
 * Gold trajectories, and the checks proposed from each for other attempts at
 * the same task, on an app that may look different.
 */
#ifndef JUDGE_GOLD_GOLD_SET_H
#define JUDGE_GOLD_GOLD_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "judge/gold/propose.h"
#include "tasks/task/task.h"
#include "tasks/trajectory/trajectory.h"

struct gold_set_entry {
    char *task; /* owned; all that the gold says, in the gold's language */
    struct proposal proposal;
};

/* Any thread may read it, once all were added. */
struct gold_set {
    struct gold_set_entry *items; /* owned */
    size_t count;
};

#define GOLD_SET_INIT                                                          \
    {                                                                          \
        .items = NULL                                                          \
    }

void gold_set_release(struct gold_set *gold_set);

/*
 * Add the episode in folder. Fails as episode_evidence_open and propose, and
 * with ERR_INVALID for an episode that did not end with success.
 */
MUST_USE bool gold_set_add(struct gold_set *gold_set, const char *folder,
                           const struct picture_access *access,
                           struct err *err);

/*
 * The proposal for this task, with the same instruction and facts; NULL: there
 * is no such gold.
 */
const struct proposal *gold_set_find(const struct gold_set *gold_set,
                                     const struct trajectory *trajectory,
                                     const struct task *task);

#endif
