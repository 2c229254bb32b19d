/*
 * What a selftest came to. Every text in it has been cleaned on its way in:
 * no secrets (see redactor.h) and no control characters.
 */
#ifndef TOOLS_SELFTEST_TRIAL_H
#define TOOLS_SELFTEST_TRIAL_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/selftest/redactor.h"

enum trial_outcome {
    TRIAL_PASSED,
    TRIAL_FAILED,
    TRIAL_NOT_OFFERED, /* this phone does not have it; that is no failure */
    TRIAL_OUTCOMES
};

/* As it appears in reports: "passed", "failed", "not offered". */
const char *trial_outcome_name(enum trial_outcome outcome);

#define TRIAL_WORDS_MAX 320

/* One thing that was tried. */
struct trial_check {
    const char *topic; /* the heading it stands under */
    const char *name;
    enum trial_outcome outcome;
    int64_t took_ns;
    char words[TRIAL_WORDS_MAX];
};

/* What the phone says of itself. */
struct trial_fact {
    const char *name;
    char value[TRIAL_WORDS_MAX];
};

/* What was made on the phone. */
struct trial_made {
    const char *kind;
    char name[128];
    bool removed; /* and looked for afterwards */
};

struct trial {
    struct redactor redactor;
    struct trial_check *checks; /* owned, as are the others */
    size_t check_count;
    struct trial_fact *facts;
    size_t fact_count;
    struct trial_made *made;
    size_t made_count;
    char ending[TRIAL_WORDS_MAX]; /* why it ended early; "": it did not */
};

/* The topics, names and kinds are borrowed for the report's life. */
void trial_init(struct trial *trial);
void trial_release(struct trial *trial);

void trial_add_check(struct trial *trial, const char *topic, const char *name,
                     enum trial_outcome outcome, int64_t took_ns,
                     const char *words);
void trial_add_fact(struct trial *trial, const char *name, const char *value);
void trial_add_made(struct trial *trial, const char *kind, const char *name,
                    bool removed);
void trial_end_early(struct trial *trial, const char *why);

/* The value of a fact; "" when the phone did not tell. */
const char *trial_fact(const struct trial *trial, const char *name);

size_t trial_count(const struct trial *trial, enum trial_outcome outcome);

/* For programs; the caller frees it with cJSON_Delete. */
struct cJSON *trial_json(const struct trial *trial);

#endif
