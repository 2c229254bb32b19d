/* The tables of a report: those of the paper, and more. */
#ifndef JUDGE_REPORT_REPORT_TABLES_H
#define JUDGE_REPORT_REPORT_TABLES_H

#include "judge/report/report.h"
#include "judge/report/report_table.h"

#define REPORT_TABLES_MAX 15

struct report_tables {
    struct report_table items[REPORT_TABLES_MAX]; /* owned */
    size_t count;
};

/*
 * All that have something to say, in the order of reading:
 *
 *     success     the paper's Table 3, with intervals
 *     outcomes    all five outcomes, and the paper's Table 4
 *     effort      key points, steps, time, tokens, cost
 *     checklist   the questions on how it was done, when tasks ask some
 *     pass        pass@k, when tasks were tried more than once
 *     category, app, level, difficulty    success by each of them
 *     wording     success by wording, when there are several
 *     spread      how many tasks depend on it
 *     failures    why the others did not succeed
 *     excluded    why some are in no rate
 *     tasks       task by task
 */
void report_tables(const struct report *report, struct report_tables *sheets);
void report_tables_release(struct report_tables *sheets);

/* Why an episode did not succeed, as a short text. */
const char *report_failure_words(enum failure_class class_);

#endif
