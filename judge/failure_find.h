/* Looking for why an episode did not succeed. */
#ifndef JUDGE_FAILURE_FIND_H
#define JUDGE_FAILURE_FIND_H

#include "judge/dossier.h"
#include "judge/failure.h"
#include "judge/verdict.h"

/*
 * The class of an episode whose verdict is failure or uncompleted; none for
 * all others. What shows most plainly is what counts: docs/judging.md has the
 * order.
 */
void failure_find(const struct dossier *dossier, const struct verdict *verdict,
                  struct failure *failure);

#endif
