/* A report for programs. */
#ifndef TOOLS_CLI_REPORT_DATA_H
#define TOOLS_CLI_REPORT_DATA_H

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "judge/report_sheets.h"

/* All figures: the runs, their rows, and the tables. */
struct cJSON *report_json(const struct report *report,
                          const struct report_sheets *sheets);

/*
 * One line per attempt (RFC 4180), below a line of names. A foreign text that
 * a spreadsheet would take for a formula has an apostrophe before it.
 */
void report_csv(const struct report *report, struct buf *text);

#endif
