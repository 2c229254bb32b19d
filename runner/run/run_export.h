/*
 * Exports records for other programs: a flat table with a row per attempt, or
 * episodes in the format of AndroidControl.
 */
#ifndef RUNNER_RUN_RUN_EXPORT_H
#define RUNNER_RUN_RUN_EXPORT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "tasks/trajectory/run_results.h"

/* Append the header or a row as CSV (RFC 4180), ending in a line feed. */
void run_export_csv_header(struct buf *text);

/*
 * Build the object of a row; the caller deletes it. run is the run's folder, id
 * its name, judge selects the verdict: a name, or name-hash; NULL: the first by
 * name. Members that cannot be read are missing, and damage says why; otherwise
 * its code is ERR_NONE.
 */
struct cJSON *run_export_row(const char *run, const char *id, const char *judge,
                             const struct run_result *result,
                             struct err *damage);
void run_export_csv_row(const struct cJSON *row, struct buf *text);

/*
 * Build an episode as in AndroidControl: goal, screenshots, trees and actions
 * by step. folder is the episode's. Fails as trajectory_load.
 */
MUST_USE bool run_export_androidcontrol(const char *folder, struct cJSON **line,
                                        struct err *err);

#endif
