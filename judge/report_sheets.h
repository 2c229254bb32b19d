/* The tables of a report: the paper's, and those beyond. */
#ifndef JUDGE_REPORT_SHEETS_H
#define JUDGE_REPORT_SHEETS_H

#include "judge/report.h"
#include "judge/sheet.h"

#define REPORT_SHEETS_MAX 12

struct report_sheets {
    struct sheet items[REPORT_SHEETS_MAX]; /* owned */
    size_t count;
};

/*
 * All that have something to say, in the order of reading:
 *
 *     success     the paper's Table 3, with intervals
 *     outcomes    all five outcomes, and the paper's Table 4
 *     effort      key points, steps, time, tokens, cost
 *     pass        pass@k, when tasks were tried more than once
 *     category, app, level, difficulty    success by each of them
 *     failures    why the others did not succeed
 *     excluded    why some are in no rate
 *     tasks       task by task
 */
void report_sheets(const struct report *report, struct report_sheets *sheets);
void report_sheets_release(struct report_sheets *sheets);

/* Why an episode did not succeed, in a few words. */
const char *report_failure_words(enum failure_class class_);

#endif
