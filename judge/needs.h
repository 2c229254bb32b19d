/*
 * The needs of a task, held against an episode: which are met, at which step,
 * and why the others are not.
 */
#ifndef JUDGE_NEEDS_H
#define JUDGE_NEEDS_H

#include "judge/criterion.h"
#include "judge/dossier.h"
#include "judge/verdict.h"

/* What is known of one need. */
struct need_view {
    const struct task_need *need; /* borrowed */
    struct criterion *check;      /* owned; NULL: only a model can tell */
    struct criterion *undone_by;  /* owned; NULL: nothing is said */
    struct moments moments;
    struct moments undone;
    int *by; /* owned; at each moment, the step by which it is met; -1 */
    bool done;
    bool busy; /* being looked at: needs that wait for each other */
};

struct needs {
    const struct dossier *dossier; /* borrowed */
    struct need_view *views;       /* owned */
    size_t count;
};

/* Look at all of them. Fails as criterion_open, and says of which need. */
MUST_USE bool needs_open(const struct dossier *dossier, struct needs *needs,
                         struct err *err);
void needs_release(struct needs *needs);

/*
 * Append what there is to say of each to the verdict's needs. Those that
 * nobody could tell are not known, and not met.
 */
void needs_tell(const struct needs *needs, struct verdict *verdict);

/* Were all that can be told met at some step, though undone later? -1: no. */
int needs_passed(const struct needs *needs);

/* One more key point, for whoever has others. why may be NULL. */
void needs_add(struct verdict *verdict, const char *say, bool known, bool met,
               int step, const char *why);

#endif
