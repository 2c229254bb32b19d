/* Classifies why an episode did not succeed. */
#ifndef JUDGE_RULES_FAILURE_FIND_H
#define JUDGE_RULES_FAILURE_FIND_H

#include "judge/evidence/episode_evidence.h"
#include "judge/verdict/failure.h"
#include "judge/verdict/verdict.h"

/*
 * The class of an episode whose verdict is failure or uncompleted; none for all
 * others. docs/judging.md has the order in which the classes are tried.
 */
void failure_find(const struct episode_evidence *evidence,
                  const struct verdict *verdict, struct failure *failure);

#endif
