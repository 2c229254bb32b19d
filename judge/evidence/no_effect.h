/* Steps without an effect. */
#ifndef JUDGE_EVIDENCE_NO_EFFECT_H
#define JUDGE_EVIDENCE_NO_EFFECT_H

#include <stdbool.h>

#include "judge/evidence/episode_evidence.h"

/*
 * Are the screens before and after equal, according to their trees? False where
 * either is unknown.
 */
bool no_effect(const struct episode_evidence_step *step);

#endif
