/*
 * The cases that judges are measured on: for each task its gold, its ways
 * (tasks/task/task_way.h) and one that does nothing. Each becomes a separate
 * task with these steps as its gold, so that the runner can run them like any
 * other.
 *
 * Each wrong way is paired with the right one with the smallest edit distance,
 * and each right way with its closest wrong one.
 */
#ifndef TOOLS_METER_METER_CASES_H
#define TOOLS_METER_METER_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "judge/statistics/judge_meter.h"
#include "tasks/task/suite.h"
#include "tasks/task/task.h"
#include "tasks/task/task_way.h"

struct meter_case {
    const struct task *task; /* borrowed: that of the suite */
    enum task_way_class class_;
    char *name;         /* owned: of the way */
    const char *breaks; /* borrowed: the clause that it breaks; NULL */
};

struct meter_cases {
    const struct task **tasks; /* owned; of the suite, those that take part */
    size_t task_count;
    struct suite suite;       /* a task for each, in the same order */
    struct meter_case *items; /* owned */
    size_t count;
};

/* Selects the cases. */
struct meter_cases_choice {
    const char *const *ids; /* of tasks; none: all */
    size_t id_count;
    enum task_way_class only; /* of wrong ways; TASK_WAY_CLASSES: all */
    size_t sample;            /* so many of the tasks; 0: all */
    uint64_t sample_number;   /* which of them: another number, other tasks */
};

/*
 * Make the cases; suite and ways must outlive them. Only tasks with gold and a
 * truth are used. Fails with ERR_INVALID when there are none, for an unknown
 * id, or when a way's name makes a task id that is too long.
 */
MUST_USE bool meter_cases_make(const struct suite *suite,
                               const struct task_ways *ways,
                               const struct meter_cases_choice *choice,
                               struct meter_cases *meter_cases,
                               struct err *err);
void meter_cases_release(struct meter_cases *meter_cases);

/*
 * Find the pairs, where right has the label of each case by the truth. pairs
 * has room for as many as there are cases. Returns how many were found.
 */
size_t meter_cases_pair(const struct meter_cases *meter_cases,
                        const bool *right, struct meter_pair *pairs);

#endif
