/*
 * The judge without a model: the task's needs, its answer, what must never be
 * done and what must stay unchanged.
 */
#ifndef JUDGE_RULES_RULES_JUDGE_H
#define JUDGE_RULES_RULES_JUDGE_H

#include "judge/evidence/episode_evidence.h"
#include "judge/verdict/verdict.h"

/* Increased whenever the same episode may get another verdict. */
#define RULES_JUDGE_VERSION 5

/*
 * Judge the episode into verdict, which is VERDICT_INIT or signed. Fails as
 * criterion_open, when a check of the task cannot be compiled.
 */
MUST_USE bool rules_judge(const struct episode_evidence *evidence,
                          struct verdict *verdict, struct err *err);

#endif
