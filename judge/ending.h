/* What the end of an episode says before any judge does. */
#ifndef JUDGE_ENDING_H
#define JUDGE_ENDING_H

#include <stdbool.h>

#include "judge/dossier.h"
#include "judge/verdict.h"

/*
 * Fill in what every judge says alike: steps, gold's steps, and the outcome
 * and reason of an episode that the agent did not say to be done. True when
 * it did, and the rest is for the judge.
 */
bool ending_decide(const struct dossier *dossier, struct verdict *verdict);

/* Give the verdict its outcome and reason, in place of earlier ones. */
PRINTF_LIKE(3, 4)
void ending_set(struct verdict *verdict, enum outcome outcome, const char *fmt,
                ...);

#endif
