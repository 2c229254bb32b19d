/*
 * The first content of a task's form: derived from a recording, without checks.
 */
#ifndef RUNNER_RECORDING_TASK_DRAFT_H
#define RUNNER_RECORDING_TASK_DRAFT_H

#include <stddef.h>

#include "base/json_write.h"
#include "runner/recording/recorded_way.h"
#include "runner/recording/recording_task.h"

/* How many steps of gold are key steps. */
size_t task_draft_stars(const struct task_gold *gold);

/*
 * The task as JSON, with a need that stands for its checks. What a person
 * should look at is added to warnings. The caller deletes it.
 */
struct cJSON *task_draft_make(const struct recording_task_options *options,
                              const struct recorded_way *way,
                              struct text_list *warnings);

#endif
