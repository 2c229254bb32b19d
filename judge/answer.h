/* Is what the agent answered what the task asks for? */
#ifndef JUDGE_ANSWER_H
#define JUDGE_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "tasks/task.h"

/*
 * Hold said against the answer, whose kind is not NONE.
 *
 * EXACT: one of the values, whatever the case, blanks, quotes around it and
 * full stop behind it. NUMBER: said has one number, which is near enough;
 * several different ones are no answer. PATTERN: it matches.
 *
 * Fails with ERR_INVALID for a pattern that cannot be compiled.
 */
MUST_USE bool answer_check(const struct task_answer *answer, const char *said,
                           bool *right, struct err *err);

/*
 * The next number in text, as people write them: "1,234.50", "-3", "19,99",
 * full-width digits. Returns what follows it; NULL when there is none.
 */
const char *answer_number(const char *text, double *number);

/*
 * What was asked for, for people: "'Zenvo'", "12.5 ± 0.1", "one with 'Ann
 * Lee'", "like /…/".
 */
void answer_describe(const struct task_answer *answer, char *text, size_t size);

#endif
