/*
 * The paper's second provider: a model describes each touch, from the screens
 * before and after it, and replaces the descriptions of the evidence.
 */
#ifndef JUDGE_MODEL_MODEL_SUMMARIES_H
#define JUDGE_MODEL_MODEL_SUMMARIES_H

#include "base/cancel.h"
#include "base/model.h"
#include "judge/evidence/episode_evidence.h"

/*
 * Ask model about every step that touched the screen; other steps are described
 * by their action. An answer without a summary is asked for once more; then the
 * description says only where the step touched. usage is increased.
 *
 * Fails as model_ask; some descriptions may then be replaced.
 */
MUST_USE bool model_summaries_make(struct episode_evidence *evidence,
                                   struct model *model, int64_t ask_ms,
                                   const struct cancel *cancel,
                                   struct model_usage *usage, struct err *err);

#endif
