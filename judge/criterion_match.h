/* What a rule is made of, and how one step or one screen is held against it. */
#ifndef JUDGE_CRITERION_MATCH_H
#define JUDGE_CRITERION_MATCH_H

#include <stdbool.h>

#include "base/pattern.h"
#include "judge/criterion.h"

/* The members of a check that are patterns. */
enum condition_id {
    CONDITION_DID,
    CONDITION_TARGET,
    CONDITION_TYPED,
    CONDITION_SCREEN,
    CONDITION_SHOWS,
    CONDITION_TEXT,
    CONDITION_ID,
    CONDITION_IS,
    CONDITION_ANEW,
    CONDITION_LESS,
    CONDITIONS,
};

struct condition {
    struct pattern *pattern; /* owned; NULL: it does not matter */
    const char *text;        /* borrowed from the check */
};

struct criterion {
    const struct check *check; /* borrowed */
    struct condition conditions[CONDITIONS];
    struct criterion **parts; /* owned */
    size_t part_count;
    bool *matches; /* owned; of the steps that were looked at; or NULL */
    bool *excess;  /* owned; of the same, what spoiled the count */
};

/* Does it describe this step? */
bool criterion_match_step(const struct criterion *criterion,
                          const struct dossier_step *step,
                          enum process_source source);

/*
 * How near the step is to what it describes: the conditions that hold, and of
 * the others how many of the pattern's words are there. 0: not at all.
 */
double criterion_nearness(const struct criterion *criterion,
                          const struct dossier_step *step,
                          enum process_source source);

/* Is it counted anew from this step on? */
bool criterion_starts_anew(const struct criterion *criterion,
                           const struct dossier_step *step,
                           enum process_source source);

/* Does this step take back one of those that are counted? */
bool criterion_takes_back(const struct criterion *criterion,
                          const struct dossier_step *step,
                          enum process_source source);

/* Does it describe a node of the last screen? tree may be NULL. */
bool criterion_match_end(const struct criterion *criterion,
                         const struct tree *tree);

bool criterion_match_evidence(const struct criterion *criterion,
                              const struct dossier *dossier);

#endif
