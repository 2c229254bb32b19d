/* A report's tables on a terminal. */
#ifndef TOOLS_CLI_JUDGE_REPORT_TEXT_H
#define TOOLS_CLI_JUDGE_REPORT_TEXT_H

#include "judge/report/judged_runs.h"
#include "judge/report/report_table.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/terminal/text_page.h"

/* Its title, its heads, its rows, and what it is of. */
void report_text_sheet(struct text_page *page,
                       const struct report_table *sheet);

/* Report on stderr which episodes could not be read, and why. */
void report_text_damage(struct cli_context *cli,
                        const struct judged_runs *judged);

#endif
