/*
 * Compares the needs of a task with an episode: which are met, at which step,
 * and why the others are not.
 */
#ifndef JUDGE_RULES_NEEDS_CHECK_H
#define JUDGE_RULES_NEEDS_CHECK_H

#include "judge/evidence/episode_evidence.h"
#include "judge/rules/criterion.h"
#include "judge/verdict/verdict.h"

/* The state of one need. */
struct need_view {
    const struct task_need *need; /* borrowed */
    struct criterion *check;      /* owned; NULL: only a model can tell */
    struct criterion *undone_by;  /* owned; NULL: nothing is said */
    struct moments moments;
    struct moments undone;
    int *by; /* owned; at each moment, the step by which it is met; -1 */
    bool done;
    bool busy; /* being evaluated: detects needs that depend on each other */
};

struct needs_check {
    const struct episode_evidence *evidence; /* borrowed */
    struct need_view *views;                 /* owned */
    size_t count;
    bool ordered; /* each comes after the one before it */
};

/* Evaluate all needs. Fails as criterion_open, naming the need. */
MUST_USE bool needs_check_open(const struct episode_evidence *evidence,
                               struct needs_check *needs, struct err *err);
void needs_check_release(struct needs_check *needs);

/*
 * Append each need to the verdict. Needs without a check are undecided, and not
 * met.
 */
void needs_check_tell(const struct needs_check *needs, struct verdict *verdict);

/*
 * The step after which all decidable needs were met, though undone later; -1:
 * none.
 */
int needs_check_passed(const struct needs_check *needs);

/*
 * Append the questions of the task's checklist to that of the verdict. Fails as
 * needs_check_open.
 */
MUST_USE bool needs_check_checklist(const struct episode_evidence *evidence,
                                    struct verdict *verdict, struct err *err);

/* Append one more key point. why may be NULL. */
void needs_check_add(struct verdict *verdict, const char *say, bool known,
                     bool met, int step, const char *why);

#endif
