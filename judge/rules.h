/*
 * The judge that needs no model: the task's needs, its answer, what must never
 * be done and what must stay as it was.
 */
#ifndef JUDGE_RULES_H
#define JUDGE_RULES_H

#include "judge/dossier.h"
#include "judge/verdict.h"

/* Counts up whenever the same episode may be judged otherwise than before. */
#define RULES_VERSION 2

/*
 * Judge the episode into verdict, which is VERDICT_INIT or signed. Fails as
 * criterion_open, when a check of the task cannot be compiled.
 */
MUST_USE bool rules_judge(const struct dossier *dossier,
                          struct verdict *verdict, struct err *err);

#endif
