/* Between the files that make up tasks and suites. */
#ifndef TASKS_TASK_PRIVATE_H
#define TASKS_TASK_PRIVATE_H

#include "tasks/task.h"

/* What no single member tells; fills in what hangs on another. */
MUST_USE bool task_check(const struct json *json, void *thing, struct err *err);

/* Is every {…} one that can be filled in? */
MUST_USE bool task_check_blanks(struct task *task, struct err *err);

#endif
