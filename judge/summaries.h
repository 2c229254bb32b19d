/*
 * The paper's second provider: a model says what each touch did, from the
 * screens before and after it. The words of a dossier are replaced by that.
 */
#ifndef JUDGE_SUMMARIES_H
#define JUDGE_SUMMARIES_H

#include "base/cancel.h"
#include "base/model.h"
#include "judge/dossier.h"

/*
 * Ask model about every step that touched the screen; other steps say by
 * themselves what they did. An answer without a summary is asked for once
 * more, and then the step says only where it touched. usage grows by what it
 * cost.
 *
 * Fails as model_ask; some words may then be replaced.
 */
MUST_USE bool summaries_make(struct dossier *dossier, struct model *model,
                             int64_t ask_ms, const struct cancel *cancel,
                             struct model_usage *usage, struct err *err);

#endif
