/*
 * Results of a run: results.jsonl, a line for each finished attempt. The file
 * is an index of the episodes; it can be rebuilt from them, and `resume` does
 * so.
 */
#ifndef TASKS_TRAJECTORY_RUN_RESULTS_H
#define TASKS_TRAJECTORY_RUN_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "tasks/json/jsonl.h"
#include "tasks/trajectory/trajectory.h"

#define RUN_RESULTS_MAX 1000000

/* One attempt. Texts are owned, and NULL where unknown. */
struct run_result {
    char *task;
    int repeat;
    int attempt;
    char *episode; /* its folder, which is below the run's: "episodes/…" */
    char *agent;
    char *phone;
    enum trajectory_ending ending; /* NONE: it was interrupted */
    char *reason;
    int steps;
    int raw_commands;   /* steps that are commands outside the UI */
    int person_actions; /* steps of a person who took over from the agent */
    int64_t duration_ms;
    int64_t input_tokens;
    int64_t cached_tokens;
    int64_t output_tokens;
    double cost;     /* US dollars; NAN: unknown */
    char *recording; /* the address of an archive of the folder, which may not
                        be here; NULL: it is here */

    /* Of run_results_scan alone: */
    char *damage;   /* why its events cannot be read; NULL: they can */
    char *bad_file; /* "missing: FILE" or "damaged: FILE"; NULL: none is */
};

void run_result_release(struct run_result *result);

/* Compute the result from an episode's events. The caller releases it. */
void run_result_of(const struct trajectory *trajectory, const char *episode,
                   struct run_result *result);

/* The path of an attempt's folder within the run's. */
void run_result_folder(const char *task, int repeat, int attempt,
                       struct buf *folder);

struct cJSON *run_result_to_json(const struct run_result *result);

struct run_results {
    struct run_result *items; /* owned */
    size_t count;
};

void run_results_release(struct run_results *results);

/*
 * Read every attempt's folder, including unfinished ones. Fails as the system
 * does; a run without episodes has no results.
 */
MUST_USE bool run_results_scan(const char *run, struct run_results *results,
                               struct err *err);

/* Write results.jsonl with all finished attempts. */
MUST_USE bool run_results_save(const char *run,
                               const struct run_results *results,
                               struct err *err);

/* Read results.jsonl. Fails with ERR_INVALID and the line. */
MUST_USE bool run_results_load(const char *run, struct run_results *results,
                               struct err *err);
MUST_USE bool run_results_parse(const char *text, size_t length,
                                struct run_results *results, struct err *err);

#endif
