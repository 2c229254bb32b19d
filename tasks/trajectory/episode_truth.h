/* truth.json of an episode: the verdict of the phone's ground truth. */
#ifndef TASKS_TRAJECTORY_EPISODE_TRUTH_H
#define TASKS_TRAJECTORY_EPISODE_TRUTH_H

#include <stdbool.h>

#include "base/err.h"

struct cJSON;

/*
 * Write the file; synced: it is on the disk when this returns. Fails as
 * file_save, and with ERR_LIMIT for a verdict that is too long.
 */
MUST_USE bool episode_truth_save(const char *folder,
                                 const struct cJSON *verdict, bool synced,
                                 struct err *err);

#endif
