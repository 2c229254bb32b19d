/* What the parts of a proposal share. */
#ifndef JUDGE_PROPOSE_DRAFT_H
#define JUDGE_PROPOSE_DRAFT_H

#include "judge/clues.h"
#include "judge/dossier.h"
#include "judge/stars.h"

/* A proposal under way. */
struct draft {
    const struct dossier *gold; /* borrowed */
    struct stars stars;
    struct clues clues;
    struct cJSON *needs; /* an array */
};

/* What a control means, by its name or, where that is short, its details. */
const struct meaning *draft_meaning(const struct draft *draft,
                                    const struct label *label);

/* Append a pattern of all that a thing may be called. */
void draft_pattern(const struct draft *draft, const struct label *label,
                   bool is_name, struct buf *pattern);

/* Add a pattern that fits, and several texts if there are any. */
void draft_add_pattern(struct cJSON *into, const char *key,
                       const struct buf *pattern);
void draft_add_texts(struct cJSON *into, const char *key,
                     const struct texts *texts);

/* A need for each star; of keys, for what comes of them. */
void draft_add_star(struct draft *draft, size_t star);

/* What the last screen shows, as one need; none if it shows nothing. */
void draft_add_end(struct draft *draft);

/* What was recorded of the phone's state, each as a need. */
void draft_add_evidence(struct draft *draft);

/* Does that tell what the task is about, and not only what must stay? */
bool draft_evidence_tells(const struct draft *draft);

#endif
