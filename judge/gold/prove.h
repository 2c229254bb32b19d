/*
 * The proof of proposed checks: do they accept the recording, and refuse each
 * of its wrong twins (judge/gold/twins.h)? From files alone.
 */
#ifndef JUDGE_GOLD_PROVE_H
#define JUDGE_GOLD_PROVE_H

#include "base/err.h"
#include "judge/gold/propose.h"
#include "judge/gold/twins.h"

/* One twin. Texts are owned. */
struct proof_row {
    enum twin_kind kind;
    size_t step;       /* the key step's place in the recording, from 0 */
    char *description; /* of the twin */
    bool refused;
    char *reason; /* refused: the need that is not met; otherwise which check
                     cannot tell it from the recording, and why */
};

/* One need, in the order of the proposal. */
struct proof_need {
    char *say;      /* owned */
    size_t refuses; /* number of twins that do not meet it */
};

struct proof {
    bool accepted; /* the recording meets all needs */
    char *reason;  /* owned: the verdict on it */
    struct proof_row *rows;
    size_t count;
    size_t refused; /* number of rows */
    struct proof_need *needs;
    size_t need_count;
};

void proof_release(struct proof *proof);

/*
 * Run the proposed checks on the recording and its twins. The task of recording
 * has them while this runs, and is then as it was. The caller releases the
 * proof. Fails as proposal_apply and rules_judge.
 */
MUST_USE bool prove(struct episode_evidence *recording,
                    const struct proposal *proposal, const struct twins *twins,
                    struct proof *proof, struct err *err);

/*
 * Remove the needs that no twin breaks from the proposal. Returns how many were
 * removed. The proof must be made again afterwards.
 */
size_t prove_prune(const struct proof *proof, struct proposal *proposal);

/*
 * Propose checks, prune them and prove what is left. The caller releases both.
 * Fails as propose and prove.
 */
MUST_USE bool prove_recording(struct episode_evidence *recording,
                              struct proposal *proposal, struct proof *proof,
                              struct err *err);

/* The proof as JSON, for pages and scripts. The caller deletes it. */
struct cJSON *proof_to_json(const struct proof *proof);

#endif
