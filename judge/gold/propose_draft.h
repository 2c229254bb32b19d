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
 * The meaning of a control, by its name or, where that is short, its details.
 */
const struct thesaurus_meaning *proposal_draft_meaning(
    const struct proposal_draft *draft, const struct node_label *label);

/* Append a pattern of all names with the same meaning. */
void proposal_draft_pattern(const struct proposal_draft *draft,
                            const struct node_label *label, bool is_name,
                            struct buf *pattern);

/* Add a matching pattern, and a list of texts if there are any. */
void proposal_draft_add_pattern(struct cJSON *into, const char *key,
                                const struct buf *pattern);
void proposal_draft_add_texts(struct cJSON *into, const char *key,
                              const struct text_list *texts);

/* A need for each key step; for keys, a need for their effect. */
void proposal_draft_add_key_step(struct proposal_draft *draft, size_t key_step);

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
