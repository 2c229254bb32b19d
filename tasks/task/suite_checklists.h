/*
 * Checklists that several tasks of a suite share: {"checklists": {"NAME":
 * [QUESTION, ...]}, "tasks": [{"checklist": "NAME", ...}, ...]}.
 */
#ifndef TASKS_TASK_SUITE_CHECKLISTS_H
#define TASKS_TASK_SUITE_CHECKLISTS_H

#include <stdbool.h>

#include "base/err.h"

struct cJSON;

/*
 * Put the questions in place of each name, and remove "checklists" from suite.
 * Fails with ERR_INVALID, naming the task, when there is no such checklist,
 * and with ERR_LIMIT when the copies have more than 8 MiB of text.
 */
MUST_USE bool suite_checklists_expand(struct cJSON *suite, struct err *err);

#endif
