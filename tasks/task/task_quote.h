/*
 * Texts for a suite: a recorded text may hold braces, which a suite reads as
 * placeholders.
 */
#ifndef TASKS_TASK_TASK_QUOTE_H
#define TASKS_TASK_TASK_QUOTE_H

#include "tasks/task/task.h"

/*
 * Quote the braces in all texts of a task without placeholders, so that
 * task_resolve makes the same texts of them again.
 */
void task_quote(struct task *task);

#endif
