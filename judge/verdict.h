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

#define VERDICT_FORMAT "proctor-verdict"
#define VERDICT_VERSION 1
#define VERDICT_HASH_SIZE 9 /* eight digits and a NUL */
#define VERDICT_NEEDS_MAX 1000

struct verdict {
    char *judge; /* owned: "rules", "openai:gpt-4o" */
    char hash[VERDICT_HASH_SIZE];
    char *config; /* owned: what hash is of, a JSON object; NULL: {} */
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

#define VERDICT_INIT                                                           \
    {                                                                          \
        .outcome = OUTCOME_UNSCORED, .failure = FAILURE_INIT,                  \
        .usage = MODEL_USAGE_UNKNOWN                                           \
    }

void verdict_release(struct verdict *verdict);

/* Take judge and config (both copied), and the hash of them. */
void verdict_sign(struct verdict *verdict, const char *judge,
                  const char *config);

/*
 * The name of a judge's file: "verdict.rules-1a2b3c4d.json". What a file name
 * should not have becomes '_'.
 */
#define VERDICT_NAME_MAX 128
void verdict_file_name(const char *judge, const char *hash,
                       char name[VERDICT_NAME_MAX]);

/* Is that judge meant by name: its own, its hash, or both with a '-'? */
bool verdict_judge_is(const char *judge, const char *hash, const char *name);

/* Is it the name of such a file? */
bool verdict_is_file_name(const char *name);

/* Into the episode's folder, all of it or nothing, in place of its like. */
MUST_USE bool verdict_save(const struct verdict *verdict, const char *folder,
                           struct err *err);

/*
 * The caller releases it. Fails with ERR_INVALID and the member for what
 * breaks the format, ERR_UNSUPPORTED for a later version, or as file_load;
 * verdict is then untouched.
 */
MUST_USE bool verdict_load(const char *path, struct verdict *verdict,
                           struct err *err);
MUST_USE bool verdict_parse(const char *text, size_t length,
                            struct verdict *verdict, struct err *err);

/* The object that its file holds. The caller deletes it. */
struct cJSON *verdict_to_json(const struct verdict *verdict);

#endif
