/* Changes single members of a suite's file, and keeps the rest as it is. */
#ifndef TASKS_TASK_SUITE_EDIT_H
#define TASKS_TASK_SUITE_EDIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "tasks/task/task.h"

/*
 * Write when and where a task was seen to work into the text of a suite, as the
 * member "validated"; text must be a valid suite. out gets the whole text, and
 * is untouched on failure: ERR_NOT_FOUND when there is no such task.
 */
MUST_USE bool suite_edit_validated(const struct buf *text, const char *id,
                                   const struct task_validated *validated,
                                   struct buf *out, struct err *err);

#endif
