/* Checks the agent's answer. */
#ifndef JUDGE_RULES_ANSWER_CHECK_H
#define JUDGE_RULES_ANSWER_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "tasks/task/task.h"

/*
 * Compare said with the expected answer, whose kind is not NONE.
 *
 * EXACT: one of the values, ignoring case, blanks, quotes around it and a full
 * stop at the end. NUMBER: said has one number, within the tolerance; several
 * different ones do not match. PATTERN: it matches.
 *
 * Fails with ERR_INVALID for a pattern that cannot be compiled.
 */
MUST_USE bool answer_check(const struct task_answer *answer, const char *said,
                           bool *right, struct err *err);

/*
 * The next number in text: "1,234.50", "-3", "19,99", full-width digits.
 * Returns what follows it; NULL when there is none.
 */
const char *answer_number(const char *text, double *number);

/*
 * The expected answer as text: "'Zenvo'", "12.5 ± 0.1", "one with 'Ann Lee'",
 * "like /…/".
 */
void answer_describe(const struct task_answer *answer, char *text, size_t size);

#endif
