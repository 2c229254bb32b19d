/*
 * How the attempts of a run ended: results.jsonl, a line for each that did.
 * The file saves others the reading of every episode; it can be made again
 * from them, and `resume` does so.
 */
#ifndef TASKS_RESULTS_H
#define TASKS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "tasks/jsonl.h"
#include "tasks/trajectory.h"

#define RESULTS_MAX 1000000

/* One attempt. Texts are owned, and NULL where nothing is known. */
struct result {
    char *task;
    int repeat;
    int attempt;
    char *episode; /* its folder, which is below the run's: "episodes/…" */
    char *agent;
    char *phone;
    enum trajectory_ending ending; /* NONE: it was interrupted */
    char *reason;
    int steps;
    int64_t duration_ms;
    int64_t input_tokens;
    int64_t cached_tokens;
    int64_t output_tokens;
    double cost; /* US dollars; NAN: not known */
};

void result_release(struct result *result);

/* What an episode's events say. The caller releases it. */
void result_of(const struct trajectory *trajectory, const char *episode,
               struct result *result);

/* The name of an attempt's folder within the run's. */
void result_folder(const char *task, int repeat, int attempt,
                   struct buf *folder);

struct cJSON *result_to_json(const struct result *result);

struct results {
    struct result *items; /* owned */
    size_t count;
};

void results_release(struct results *results);

/*
 * Look at every attempt's folder, also at those that did not end. Fails as the
 * system does; a run without episodes has no results.
 */
MUST_USE bool results_scan(const char *run, struct results *results,
                           struct err *err);

/* Write results.jsonl anew, with all that ended. */
MUST_USE bool results_save(const char *run, const struct results *results,
                           struct err *err);

/* Read results.jsonl. Fails with ERR_INVALID and the line. */
MUST_USE bool results_load(const char *run, struct results *results,
                           struct err *err);
MUST_USE bool results_parse(const char *text, size_t length,
                            struct results *results, struct err *err);

#endif
