/*
 * Changing what was recorded: new files first, then the lines that name them,
 * at once; then the files that nothing names any more are deleted. A kill at
 * any moment leaves a valid recording, as it was or as it should be.
 */
#ifndef RUNNER_RECORDING_RECORDING_REWRITE_H
#define RUNNER_RECORDING_RECORDING_REWRITE_H

#include "base/buf.h"
#include "runner/recording/recording.h"

/* The first number of a file in screens (or trees) that no event uses. */
int recording_free_number(const struct recording *recording, bool tree);

/* Write a file of that name into the recording, and set its hash. It is on the
 * disk when this returns. */
MUST_USE bool recording_save_file(const struct recording *recording,
                                  struct trajectory_file *file,
                                  const struct buf *content, struct err *err);

/* The step that a line is about; -1: none. */
int recording_line_step(const struct cJSON *line);

/* Is a line of events.jsonl an event of that name? */
bool recording_line_is(const struct cJSON *line, const char *event);

/* Is it an observation of a step that a later one has replaced? */
bool recording_line_is_replaced(const struct recording *recording,
                                const struct cJSON *line);

/* Change a line; false: it is left out. */
typedef bool recording_change_fn(const void *context, struct cJSON *line);

/* Change all lines of a file of the recording, at once. */
MUST_USE bool recording_change_lines(const struct recording *recording,
                                     const char *name,
                                     recording_change_fn *change,
                                     const void *context, struct err *err);

/*
 * Delete the files of a changed recording that nothing names any more, and its
 * descriptions, which can be made again.
 */
MUST_USE bool recording_drop_replaced(const char *folder, struct err *err);

#endif
