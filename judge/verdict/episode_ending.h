/* The part of a verdict that follows from the ending of the episode. */
#ifndef JUDGE_VERDICT_EPISODE_ENDING_H
#define JUDGE_VERDICT_EPISODE_ENDING_H

#include <stdbool.h>

#include "judge/evidence/episode_evidence.h"
#include "judge/verdict/verdict.h"

/*
 * Fill in what is the same for every judge: steps, gold's steps, and the
 * outcome and reason of an episode that the agent did not complete. True when
 * it did, and the judge has to decide.
 */
bool episode_ending_decide(const struct episode_evidence *evidence,
                           struct verdict *verdict);

/* Set the verdict's outcome and reason. */
PRINTF_LIKE(3, 4)
void episode_ending_set(struct verdict *verdict, enum outcome outcome,
                        const char *fmt, ...);

#endif
