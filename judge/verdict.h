/*
 * What a judge says of an episode, and why. In the episode's folder it is
 * verdict.<judge>-<hash>.json; docs/format.md has the members.
 */
#ifndef JUDGE_VERDICT_H
#define JUDGE_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/model.h"
#include "judge/failure.h"

enum outcome {
    OUTCOME_SUCCESS,
    OUTCOME_FAILURE,     /* the agent says that it is done, and it is not */
    OUTCOME_UNCOMPLETED, /* the agent never said so: budget, or early stop */
    OUTCOME_VOID,        /* not the agent's fault; in no rate */
    OUTCOME_UNSCORED,    /* the judge could not tell; in no rate */
    OUTCOMES,
};

const char *outcome_name(enum outcome outcome);
MUST_USE bool outcome_find(const char *name, enum outcome *outcome);

/* One key point. */
struct verdict_need {
    char *say; /* owned, as why */
    bool met;
    bool known; /* somebody could tell */
    int step;   /* at which it was met; -1: none */
    char *why;
};

struct verdict {
    char *judge;  /* owned: "rules", "openai:gpt-4o" */
    char hash[9]; /* of the judge's configuration */
    enum outcome outcome;
    bool early_stop; /* of uncompleted: the same action over and over */
    char *reason;    /* one line */
    struct verdict_need *needs;
    size_t need_count;
    size_t met;
    int steps;
    int gold_steps;         /* 0: there is no gold */
    struct failure failure; /* why it did not succeed */
    struct model_usage usage;
};

void verdict_release(struct verdict *verdict);
MUST_USE bool verdict_save(const struct verdict *verdict, const char *folder,
                           struct err *err);
MUST_USE bool verdict_load(const char *path, struct verdict *verdict,
                           struct err *err);

#endif
