/* A report for programs. */
#ifndef TOOLS_CLI_JUDGE_REPORT_EXPORT_H
#define TOOLS_CLI_JUDGE_REPORT_EXPORT_H

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "judge/report/report_tables.h"

/* All figures: the runs, their rows, and the tables. */
struct cJSON *report_export_json(const struct report *report,
                                 const struct report_tables *sheets);

/*
 * One line per attempt (RFC 4180), below a line of names. An untrusted text
 * that a spreadsheet would take for a formula has an apostrophe before it.
 */
void report_export_csv(const struct report *report, struct buf *text);

#endif
