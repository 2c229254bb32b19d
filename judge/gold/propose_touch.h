/* A key step that touches something: shared by propose_key_step.c and
 * propose_lasting.c. */
#ifndef JUDGE_GOLD_PROPOSE_TOUCH_H
#define JUDGE_GOLD_PROPOSE_TOUCH_H

#include "judge/gold/propose_draft.h"

/* A key step under construction. */
struct touch {
    const struct proposal_draft *draft;
    size_t key_step;
    const struct episode_evidence_step *step;
    bool is_name;
    const struct thesaurus_meaning *meaning; /* NULL: it has none */
    const char *object;                      /* what it acts on; NULL: none */
};

/* Add the name of what is touched, its row, and the resulting state. */
void touch_add_target(const struct touch *touch, struct cJSON *check);

/* Add the same effect of a button with an unknown name, if it has any. */
void touch_add_effect(const struct touch *touch, struct cJSON *any);

/*
 * Add the check to the need, with what undoes it. Returns the check, which the
 * caller fills.
 */
struct cJSON *touch_add_lasting(const struct touch *touch, struct cJSON *need);

/*
 * Where the screen offers to undo the step, that undoes it, and doing it again
 * with the button for that does it.
 */
void touch_add_undo(const struct touch *touch, struct cJSON *need,
                    struct cJSON *any);

/*
 * What was done to an item is undone where it is removed, or what goes on with
 * it is cancelled, also on another page.
 */
void touch_add_object_loss(const struct touch *touch, struct cJSON *need);

#endif
