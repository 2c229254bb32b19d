/* A report as JUnit XML, which systems for continuous integration show. */
#ifndef TOOLS_CLI_JUDGE_REPORT_JUNIT_H
#define TOOLS_CLI_JUDGE_REPORT_JUNIT_H

#include "base/buf.h"
#include "judge/report/report.h"

/*
 * Append one testsuite per run with one testcase per episode that counts. One
 * that did not succeed is a failure, an unscored one an error, and a void one,
 * which is not the agent's fault, is skipped.
 */
void report_junit(const struct report *report, struct buf *xml);

#endif
