/*
 * The figures of a zoo: what each policy reached, and what each task tells
 * apart. Pure.
 */
#ifndef TOOLS_METER_ZOO_TABLE_H
#define TOOLS_METER_ZOO_TABLE_H

#include "judge/statistics/statistics.h"
#include "tools/meter/policy_zoo.h"

/* Less is poor, by the rule of thumb of test theory. */
#define ZOO_DISCRIMINATION_MIN 0.2

/* Rates are 0 to 1, and NAN where there is nothing to count. */
struct zoo_policy_row {
    const struct zoo_policy *policy;
    size_t episodes;
    double success;
    struct interval interval; /* of success */
    double state;             /* success in tasks judged by their end */
    double process;           /* success in tasks judged by the process */
    double clauses_met;       /* mean part of the truth's clauses */
    double steps;             /* mean number */
};

struct zoo_task_row {
    const struct task *task;
    double success; /* over all policies and configurations */
    /*
     * Correlation of success in this task with success in all others, over
     * policies and configurations; NAN: this task is always, or never, done.
     */
    double discrimination;
    bool poor; /* it tells nothing apart */
};

struct zoo_table {
    struct zoo_policy_row *policies; /* owned; the best first */
    struct zoo_task_row *tasks;      /* owned; the least discrimination first */
    size_t task_count;
};

/* The caller releases it. */
void zoo_table_make(const struct policy_zoo *zoo, struct zoo_table *table);
void zoo_table_release(struct zoo_table *table);

#endif
