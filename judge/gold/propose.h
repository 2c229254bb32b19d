/*
 * Checks proposed from a gold trajectory and the key steps of its task, so that
 * they need not be written by hand.
 *
 * Each key step becomes a need. A control is searched for by its meaning (the
 * thesaurus), content by its name; with its resulting state, the names that the
 * screen showed, and the numbers that earlier key steps had changed. What the
 * last screen shows of these, and the recorded evidence, become needs as well.
 * A state task needs only the latter, where there are any.
 */
#ifndef JUDGE_GOLD_PROPOSE_H
#define JUDGE_GOLD_PROPOSE_H

#include "base/err.h"
#include "judge/evidence/episode_evidence.h"
#include "tasks/task/task.h"

/* Increased whenever the same gold may lead to other checks. */
#define PROPOSE_VERSION 5

struct proposal {
    struct cJSON *needs; /* owned; as the member "needs" of a task */
};

/* Fails as key_steps_find, and when there is nothing to propose (ERR_INVALID).
 */
MUST_USE bool propose(const struct episode_evidence *gold,
                      struct proposal *proposal, struct err *err);
void proposal_release(struct proposal *proposal);

/*
 * Is nothing known any more of the target of a step, because it was blurred? No
 * check is proposed for it.
 */
bool propose_is_hidden(const struct episode_evidence_step *step);

/* The id of the need for a key step, by its index: "star_1" is of the first. */
#define PROPOSE_NEED_ID_MAX 24
void propose_need_id(size_t key_step, char id[PROPOSE_NEED_ID_MAX]);

/* Remove a need by its index, also from what comes after it. */
void proposal_remove(struct proposal *proposal, size_t need);

/* The original needs and prohibitions of a task, while others replace them. */
struct proposal_swap {
    struct task_need *needs;
    size_t need_count;
    struct episode_check *never;
    size_t never_count;
    bool ordered;
};

/*
 * Replace the needs and prohibitions of task until proposal_restore. Its
 * answer, its probes and its pictures stay. Fails as reading a task does, when
 * a need would be empty; task is then unchanged.
 */
MUST_USE bool proposal_apply(const struct proposal *proposal, struct task *task,
                             struct proposal_swap *swap, struct err *err);
void proposal_restore(struct task *task, const struct proposal_swap *swap);

#endif
