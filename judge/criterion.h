/*
 * A check of a task (tasks/check.h), ready to be held against an episode: when
 * does it happen, and since when is it in force?
 */
#ifndef JUDGE_CRITERION_H
#define JUDGE_CRITERION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "judge/dossier.h"
#include "tasks/check.h"

/*
 * One place for each step, and a last one for the end. What happened at a step
 * is in force from there on, until a later screen shows that it was undone.
 */
struct moments {
    bool *happens; /* owned, as since */
    int *since;    /* the first step of what is in force; -1: it is not */
    size_t count;  /* steps, and one */
};

void moments_init(struct moments *moments, size_t steps);
void moments_release(struct moments *moments);

/* The last one at which it happens; -1: it never does. */
int moments_last(const struct moments *moments);

/* Of one thread at a time. */
struct criterion;

/*
 * Compile a check in the language of locale (NULL: whichever it has). check
 * must live as long. Fails as pattern_open.
 */
MUST_USE bool criterion_open(const struct check *check, const char *locale,
                             struct criterion **criterion, struct err *err);
void criterion_close(struct criterion *criterion); /* NULL is fine */

/*
 * Fill moments, which was initialized for the steps of dossier; always the
 * same one for a criterion. excused (may be NULL) has a place for each step:
 * those that undo nothing, as they were asked for themselves.
 */
void criterion_look(struct criterion *criterion, const struct dossier *dossier,
                    const bool *excused, struct moments *moments);

/* Of a check of the last screen: would it hold on this one? */
bool criterion_is_on(struct criterion *criterion, const struct tree *tree);

/*
 * The step that comes nearest to what the check describes, though it may be
 * none: for people who wonder. -1: no step comes near.
 */
int criterion_nearest(struct criterion *criterion,
                      const struct dossier *dossier);

#endif
