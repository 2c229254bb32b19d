/*
 * How much of a task is done: by the truth that a built-in phone reports, or by
 * the rules of the judge on what was recorded.
 */
#ifndef TOOLS_ENV_ENV_SCORE_H
#define TOOLS_ENV_ENV_SCORE_H

#include "tools/env/env_phone.h"

struct env_score {
    bool met;  /* all of it is done */
    int parts; /* clauses of the truth, or needs */
    int parts_met;
};

/* From 0 to 1. */
double env_score_share(const struct env_score *score);

/* answer is the agent's answer; NULL: none. Fails as env_phone_ops.judge. */
MUST_USE bool env_score_truth(struct env_phone *phone, const char *truth,
                              const char *answer, struct env_score *score,
                              struct err *err);

/*
 * Judge the episode in folder by rules. Blocks while its trees are read. Fails
 * as episode_evidence_open and rules_judge.
 */
MUST_USE bool env_score_needs(const char *folder, struct env_score *score,
                              struct err *err);

#endif
