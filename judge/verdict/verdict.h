/*
 * The verdict of a judge on an episode, with reasons. In the episode's folder
 * it is verdict.<judge>-<hash>.json; docs/format.md has the members.
 */
#ifndef JUDGE_VERDICT_VERDICT_H
#define JUDGE_VERDICT_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/model.h"
#include "judge/verdict/failure.h"

enum outcome {
    OUTCOME_SUCCESS,
    OUTCOME_FAILURE,     /* the agent completed, but a need is not met */
    OUTCOME_UNCOMPLETED, /* the agent never completed: budget, or early stop */
    OUTCOME_VOID,        /* a reason outside the agent; in no rate */
    OUTCOME_UNSCORED,    /* the judge could not decide; in no rate */
    OUTCOMES,
};

const char *outcome_name(enum outcome outcome);
MUST_USE bool outcome_find(const char *name, enum outcome *outcome);

/* One key point. */
struct verdict_need {
    char *say; /* owned, as why */
    bool met;
    bool known; /* the judge could decide it */
    int step;   /* the step that met it; -1: none */
    char *why;
};

/* One step as the judge read it. */
struct verdict_step {
    char *description; /* owned, as doubt */
    char *doubt;       /* why a screen was not used for them; NULL: none */
};

#define VERDICT_FORMAT "proctor-verdict"
#define VERDICT_VERSION 2
#define VERDICT_HASH_SIZE 9 /* eight digits and a NUL */
#define VERDICT_NEEDS_MAX 1000

struct verdict {
    char *judge; /* owned: "rules", "openai:gpt-4o" */
    char hash[VERDICT_HASH_SIZE];
    char *config; /* owned: what hash is of, a JSON object; NULL: {} */
    enum outcome outcome;
    bool early_stop; /* of uncompleted: the same action was repeated */
    char *reason;    /* one line */
    struct verdict_need *needs;
    size_t need_count;
    size_t met;
    struct verdict_need *checklist; /* owned; its questions, in no outcome */
    size_t checklist_count;
    size_t checklist_met;
    int steps;
    int gold_steps;               /* 0: there is no gold */
    struct failure failure;       /* why it did not succeed */
    struct verdict_step *process; /* owned; what was done, step by step */
    size_t process_count;
    struct model_usage usage;
};

#define VERDICT_INIT                                                           \
    {                                                                          \
        .outcome = OUTCOME_UNSCORED, .failure = FAILURE_INIT,                  \
        .usage = MODEL_USAGE_UNKNOWN                                           \
    }

void verdict_release(struct verdict *verdict);

/* Set judge and config (both copied), and compute the hash. */
void verdict_sign(struct verdict *verdict, const char *judge,
                  const char *config);

/*
 * The name of a judge's file: "verdict.rules-1a2b3c4d.json". Characters that
 * are not allowed in file names become '_'.
 */
#define VERDICT_NAME_MAX 128
void verdict_file_name(const char *judge, const char *hash,
                       char name[VERDICT_NAME_MAX]);

/* Does name select that judge: by its name, its hash, or both with a '-'? */
bool verdict_judge_is(const char *judge, const char *hash, const char *name);

/* Is it the name of a verdict file? */
bool verdict_is_file_name(const char *name);

/* Write it to the episode's folder, atomically, replacing an earlier one. */
MUST_USE bool verdict_save(const struct verdict *verdict, const char *folder,
                           struct err *err);

/*
 * Read a verdict. The caller releases it. Fails with ERR_INVALID and the member
 * for an invalid file, ERR_UNSUPPORTED for a later version, or as file_load;
 * verdict is then untouched.
 */
MUST_USE bool verdict_load(const char *path, struct verdict *verdict,
                           struct err *err);
MUST_USE bool verdict_parse(const char *text, size_t length,
                            struct verdict *verdict, struct err *err);

/* The JSON object of its file. The caller deletes it. */
struct cJSON *verdict_to_json(const struct verdict *verdict);

#endif
