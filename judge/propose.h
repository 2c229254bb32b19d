/*
 * Checks that nobody has to write: needs proposed from a gold trajectory and
 * the stars of its task.
 *
 * Each star becomes a need. What it touched is looked for by its meaning (the
 * thesaurus) where it is a control, and by its name where it is a thing; with
 * the state that it was brought to, the names that the screen showed, and the
 * numbers that the stars before it had changed. What the last screen shows of
 * all that, and the recorded evidence, are needs as well. A state task needs
 * only these, where there are any.
 */
#ifndef JUDGE_PROPOSE_H
#define JUDGE_PROPOSE_H

#include "base/err.h"
#include "judge/dossier.h"
#include "tasks/task.h"

/* Counts up whenever the same gold may lead to other checks than before. */
#define PROPOSE_VERSION 2

struct proposal {
    struct cJSON *needs; /* owned; as the member "needs" of a task */
};

/* Fails as stars_find, and when there is nothing to propose (ERR_INVALID). */
MUST_USE bool propose(const struct dossier *gold, struct proposal *proposal,
                      struct err *err);
void proposal_release(struct proposal *proposal);

/* The needs of a task, and what it forbids, while others stand in for them. */
struct proposal_swap {
    struct task_need *needs;
    size_t need_count;
    struct check *never;
    size_t never_count;
    bool ordered;
};

/*
 * Let task have these needs in place of its own and of what it forbids, until
 * proposal_restore. Its answer, its probes and its pictures stay. Fails as
 * reading a task does, when a need would be none; task is then as it was.
 */
MUST_USE bool proposal_apply(const struct proposal *proposal, struct task *task,
                             struct proposal_swap *swap, struct err *err);
void proposal_restore(struct task *task, const struct proposal_swap *swap);

#endif
