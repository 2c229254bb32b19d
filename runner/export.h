/*
 * What was recorded, for other programs: a flat table with a row per attempt,
 * or episodes as AndroidControl has them.
 */
#ifndef RUNNER_EXPORT_H
#define RUNNER_EXPORT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "tasks/results.h"

/* The columns, and then a row: RFC 4180, with a line feed at its end. */
void export_csv_head(struct buf *text);

/*
 * An object of what the row says; the caller deletes it. run is the run's
 * folder, id its name, judge whose verdict counts: a name, or name-hash; NULL:
 * the first by name. What of the episode cannot be read is left out.
 */
struct cJSON *export_row(const char *run, const char *id, const char *judge,
                         const struct result *result);
void export_csv_row(const struct cJSON *row, struct buf *text);

/*
 * An episode: goal, screens, trees and actions by step, as in AndroidControl.
 * folder is the episode's. Fails as trajectory_load.
 */
MUST_USE bool export_androidcontrol(const char *folder, struct cJSON **line,
                                    struct err *err);

#endif
