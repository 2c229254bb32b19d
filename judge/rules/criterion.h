/*
 * A check of a task (tasks/task/episode_check.h), compiled for comparing with
 * episodes: at which step does it happen, and since which step is it in force?
 */
#ifndef JUDGE_RULES_CRITERION_H
#define JUDGE_RULES_CRITERION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "judge/evidence/episode_evidence.h"
#include "tasks/task/episode_check.h"

/*
 * One entry for each step, and a last one for the end. What happened at a step
 * is in force from there on, until a later screen shows that it was undone.
 */
struct moments {
    bool *happens; /* owned, as since */
    int *since;   /* the first step since which it is in force; -1: it is not */
    size_t count; /* steps, and one */
};

void moments_init(struct moments *moments, size_t steps);
void moments_release(struct moments *moments);

/* The last step at which it happens; -1: never. */
int moments_last(const struct moments *moments);

/* Not thread-safe. */
struct criterion;

/*
 * Compile a check in the language of locale (NULL: any). check must outlive it.
 * Fails as regex_open.
 */
MUST_USE bool criterion_open(const struct episode_check *check,
                             const char *locale, struct criterion **criterion,
                             struct err *err);
void criterion_close(struct criterion *criterion); /* NULL is fine */

/*
 * Fill moments, which was initialized for the steps of the evidence; a
 * criterion always gets the same evidence. excused (may be NULL) has an entry
 * for each step: steps that undo nothing, because another need asks for them.
 */
void criterion_look(struct criterion *criterion,
                    const struct episode_evidence *evidence,
                    const bool *excused, struct moments *moments);

/* For a check of the last screen: would it hold on this screen? */
bool criterion_is_on(struct criterion *criterion, const struct tree *tree);

/*
 * The step that comes nearest to the check, for explanations. -1: none comes
 * near.
 */
int criterion_nearest(struct criterion *criterion,
                      const struct episode_evidence *evidence);

#endif
