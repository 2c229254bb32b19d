/*
 * The task of an episode: task.json in its folder, with dates, facts and the
 * language filled in, so that judges need nothing else.
 */
#ifndef TASKS_TASK_EPISODE_TASK_H
#define TASKS_TASK_EPISODE_TASK_H

#include <stdbool.h>

#include "base/err.h"
#include "tasks/task/task.h"

/* Write it atomically. On failure an earlier file is unchanged. */
MUST_USE bool episode_task_save(const struct task *task, const char *folder,
                                struct err *err);

/* The caller releases the task. On failure task is untouched. */
MUST_USE bool episode_task_load(const char *folder, struct task *task,
                                struct err *err);

#endif
