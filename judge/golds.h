/*
 * Gold trajectories, and what is proposed from each: the checks of whoever does
 * the same task again, on an app that may look otherwise.
 */
#ifndef JUDGE_GOLDS_H
#define JUDGE_GOLDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "judge/propose.h"
#include "tasks/task.h"
#include "tasks/trajectory.h"

struct golds_entry {
    char *task; /* owned; all that the gold says, in the gold's language */
    struct proposal proposal;
};

/* Any thread may look, once all were added. */
struct golds {
    struct golds_entry *items; /* owned */
    size_t count;
};

#define GOLDS_INIT                                                             \
    {                                                                          \
        .items = NULL                                                          \
    }

void golds_release(struct golds *golds);

/*
 * Add the episode in folder. Fails as dossier_open and propose, and with
 * ERR_INVALID for an episode that did not end as it should.
 */
MUST_USE bool golds_add(struct golds *golds, const char *folder,
                        struct err *err);

/*
 * What was proposed for this task, asked in the same words, with the same
 * facts; NULL: there is no such gold.
 */
const struct proposal *golds_find(const struct golds *golds,
                                  const struct trajectory *trajectory,
                                  const struct task *task);

#endif
