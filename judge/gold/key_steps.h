/*
 * The key steps of a gold trajectory: the task's gold defines them, and
 * the trajectory may have more steps, such as scrolling.
 */
#ifndef JUDGE_GOLD_KEY_STEPS_H
#define JUDGE_GOLD_KEY_STEPS_H

#include "judge/evidence/episode_evidence.h"

struct key_step {
    size_t step;  /* of the trajectory */
    size_t layer; /* key steps of a layer come in any order, layers in theirs */
};

struct key_steps {
    struct key_step *items; /* owned */
    size_t count;
};

/*
 * Find them. Fails with ERR_INVALID when the task has no gold steps, or the
 * trajectory does not follow them.
 */
MUST_USE bool key_steps_find(const struct episode_evidence *gold,
                             struct key_steps *key_steps, struct err *err);
void key_steps_release(struct key_steps *key_steps);

#endif
