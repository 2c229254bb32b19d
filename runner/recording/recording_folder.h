/*
 * The files of a recording's folder: a new recording gets its name when it is
 * complete, and files that nothing names are removed.
 */
#ifndef RUNNER_RECORDING_RECORDING_FOLDER_H
#define RUNNER_RECORDING_RECORDING_FOLDER_H

#include "base/buf.h"
#include "runner/recording/recording.h"

/* The hidden path under which this thread makes the recording in folder. */
void recording_folder_hidden(const char *folder, struct buf *hidden);

/* Remove a recording's folder that was not completed; none is fine. */
void recording_folder_discard(const char *folder);

/* The same for those that threads left which are no more, or this one. */
void recording_folder_discard_left(const char *folder);

/*
 * Give the complete recording at its hidden path its name, and bring that to
 * the disk. Fails with ERR_INVALID when the name is taken; the recording is
 * then discarded.
 */
MUST_USE bool recording_folder_complete(const char *folder, struct err *err);

/*
 * Remove screens, trees and crops that no event and no edit names: a kill, and
 * pictures that were replaced, leave such. Fails when one cannot be removed;
 * the others are removed.
 */
MUST_USE bool recording_folder_tidy(const struct recording *recording,
                                    struct err *err);

#endif
