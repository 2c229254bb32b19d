/*
 * What a selftest came to. Every text in it has been cleaned on its way in:
 * no secrets (see redactor.h) and no control characters.
 */
#ifndef TOOLS_DEVICE_CHECKS_CHECK_RESULTS_H
#define TOOLS_DEVICE_CHECKS_CHECK_RESULTS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/device_checks/redactor.h"

enum check_outcome {
    CHECK_PASSED,
    CHECK_FAILED,
    CHECK_NOT_OFFERED, /* this phone does not have it; that is no failure */
    CHECK_OUTCOMES
};

/* As it appears in reports: "passed", "failed", "not offered". */
const char *check_outcome_name(enum check_outcome outcome);

#define CHECK_RESULT_TEXT_MAX 320

/* One thing that was tried. */
struct check_result {
    const char *topic; /* its heading */
    const char *name;
    enum check_outcome outcome;
    int64_t took_ns;
    char detail[CHECK_RESULT_TEXT_MAX];
};

/* A property that the phone reports. */
struct check_results_fact {
    const char *name;
    char value[CHECK_RESULT_TEXT_MAX];
};

/* Something that was created on the phone. */
struct check_results_made {
    const char *kind;
    char name[128];
    bool removed; /* and looked for afterwards */
};

struct check_results {
    struct redactor redactor;
    struct check_result *checks; /* owned, as are the others */
    size_t check_count;
    struct check_results_fact *facts;
    size_t fact_count;
    struct check_results_made *made;
    size_t made_count;
    char ending[CHECK_RESULT_TEXT_MAX]; /* why it ended early; "": it did not */
};

/* The topics, names and kinds are borrowed for the report's life. */
void check_results_init(struct check_results *check_results);
void check_results_release(struct check_results *check_results);

void check_results_add_check(struct check_results *check_results,
                             const char *topic, const char *name,
                             enum check_outcome outcome, int64_t took_ns,
                             const char *detail);
void check_results_add_fact(struct check_results *check_results,
                            const char *name, const char *value);
void check_results_add_made(struct check_results *check_results,
                            const char *kind, const char *name, bool removed);
void check_results_end_early(struct check_results *check_results,
                             const char *why);

/* The value of a fact; "" if the phone did not report it. */
const char *check_results_fact(const struct check_results *check_results,
                               const char *name);

size_t check_results_count(const struct check_results *check_results,
                           enum check_outcome outcome);

/* For programs; the caller frees it with cJSON_Delete. */
struct cJSON *check_results_json(const struct check_results *check_results);

#endif
