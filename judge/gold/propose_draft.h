/* Shared by the propose*.c files. */
#ifndef JUDGE_GOLD_PROPOSE_DRAFT_H
#define JUDGE_GOLD_PROPOSE_DRAFT_H

#include "judge/evidence/episode_evidence.h"
#include "judge/gold/anchors.h"
#include "judge/gold/key_steps.h"

/* A proposal under construction. */
struct proposal_draft {
    const struct episode_evidence *gold; /* borrowed */
    struct key_steps key_steps;
    struct anchors anchors;
    struct cJSON *needs; /* an array */
};

/*
 * Append a pattern of the names of a control: its own, and all with the same
 * meaning, which may be NULL. Names of other choices beside it do not match.
 */
void proposal_draft_pattern_of(const struct proposal_draft *draft,
                               const struct tree *tree, uint32_t node,
                               const struct thesaurus_meaning *meaning,
                               struct buf *pattern);

/* The same for a step that touches one. */
void proposal_draft_pattern(const struct proposal_draft *draft,
                            const struct episode_evidence_step *step,
                            struct buf *pattern);

/* Add a matching pattern, and a list of texts if there are any. */
void proposal_draft_add_pattern(struct cJSON *into, const char *key,
                                const struct buf *pattern);
void proposal_draft_add_texts(struct cJSON *into, const char *key,
                              const struct text_list *texts);

/* A need for each key step; for keys, a need for their effect. */
void proposal_draft_add_key_step(struct proposal_draft *draft, size_t key_step);

/*
 * Needs that items which the instruction names were opened, where gold opened
 * them in steps that are no key steps.
 */
void proposal_draft_add_items(struct proposal_draft *draft);

/*
 * Needs that what the key steps do is not done more often, or to other things
 * as well.
 */
void proposal_draft_add_amounts(struct proposal_draft *draft);

/*
 * A need for what the last screen shows; none if it shows nothing of the task.
 */
void proposal_draft_add_end(struct proposal_draft *draft);

/* A need for each recorded value of the phone's state. */
void proposal_draft_add_evidence(struct proposal_draft *draft);

/*
 * Does that cover the purpose of the task, and not only what must stay
 * unchanged?
 */
bool proposal_draft_evidence_tells(const struct proposal_draft *draft);

#endif
