/*
 * What a selftest came to. Every text in it has been cleaned on its way in:
 * no secrets (see redactor.h) and no control characters.
 */
#ifndef TOOLS_SELFTEST_REPORT_H
#define TOOLS_SELFTEST_REPORT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/selftest/redactor.h"

enum outcome {
    OUTCOME_PASSED,
    OUTCOME_FAILED,
    OUTCOME_NOT_OFFERED, /* this phone does not have it; that is no failure */
    OUTCOME_COUNT
};

#define REPORT_WORDS_MAX 320

/* One thing that was tried. */
struct report_check {
    const char *topic; /* the heading it stands under */
    const char *name;
    enum outcome outcome;
    int64_t took_ns;
    char words[REPORT_WORDS_MAX];
};

/* What the phone says of itself. */
struct report_fact {
    const char *name;
    char value[REPORT_WORDS_MAX];
};

/* What was made on the phone. */
struct report_made {
    const char *kind;
    char name[128];
    bool removed; /* and looked for afterwards */
};

struct report {
    struct redactor redactor;
    struct report_check *checks; /* owned, as are the others */
    size_t check_count;
    struct report_fact *facts;
    size_t fact_count;
    struct report_made *made;
    size_t made_count;
    char ending[REPORT_WORDS_MAX]; /* why it ended early; "": it did not */
};

/* The topics, names and kinds are borrowed for the report's life. */
void report_init(struct report *report);
void report_release(struct report *report);

void report_add_check(struct report *report, const char *topic,
                      const char *name, enum outcome outcome, int64_t took_ns,
                      const char *words);
void report_add_fact(struct report *report, const char *name,
                     const char *value);
void report_add_made(struct report *report, const char *kind, const char *name,
                     bool removed);
void report_end_early(struct report *report, const char *why);

/* The value of a fact; "" when the phone did not tell. */
const char *report_fact(const struct report *report, const char *name);

size_t report_count(const struct report *report, enum outcome outcome);

/* For programs; the caller frees it with cJSON_Delete. */
struct cJSON *report_json(const struct report *report);

#endif
