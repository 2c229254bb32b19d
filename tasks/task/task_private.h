/* Shared by the files for tasks and suites. */
#ifndef TASKS_TASK_TASK_PRIVATE_H
#define TASKS_TASK_TASK_PRIVATE_H

#include "tasks/task/task.h"

/* Checks that involve several members; fills in dependent defaults. */
MUST_USE bool task_validate(const struct json *json, void *thing,
                            struct err *err);

/* Can every {…} be filled in? */
MUST_USE bool task_validate_placeholders(struct task *task, struct err *err);

#endif
