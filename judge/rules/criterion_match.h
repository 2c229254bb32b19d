/* A compiled rule, and how it is compared with one step or one screen. */
#ifndef JUDGE_RULES_CRITERION_MATCH_H
#define JUDGE_RULES_CRITERION_MATCH_H

#include <stdbool.h>

#include "base/regex.h"
#include "judge/rules/criterion.h"

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
    CONDITION_RESET_BY,
    CONDITION_REDUCED_BY,
    CONDITIONS,
};

struct condition {
    struct regex *pattern; /* owned; NULL: it does not matter */
    const char *text;      /* borrowed from the check */
};

struct criterion {
    const struct episode_check *check; /* borrowed */
    struct condition conditions[CONDITIONS];
    struct criterion **parts; /* owned */
    size_t part_count;
    bool *matches; /* owned; of the steps that were looked at; or NULL */
    bool *excess;  /* owned; of the same, what spoiled the count */
};

/* Does it match this step? */
bool criterion_match_step(const struct criterion *criterion,
                          const struct episode_evidence_step *step,
                          enum process_source source);

/*
 * How near the step is to the rule: the conditions that hold, and for the
 * others the share of the pattern's words that occur. 0: not at all.
 */
double criterion_nearness(const struct criterion *criterion,
                          const struct episode_evidence_step *step,
                          enum process_source source);

/* Does this step reset the count? */
bool criterion_starts_anew(const struct criterion *criterion,
                           const struct episode_evidence_step *step,
                           enum process_source source);

/* Does this step subtract one from the count? */
bool criterion_takes_back(const struct criterion *criterion,
                          const struct episode_evidence_step *step,
                          enum process_source source);

/* Does it match a node of the last screen? tree may be NULL. */
bool criterion_match_end(const struct criterion *criterion,
                         const struct tree *tree);

bool criterion_match_evidence(const struct criterion *criterion,
                              const struct episode_evidence *evidence);

#endif
