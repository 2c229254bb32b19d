/* A report's tables on a terminal. */
#ifndef TOOLS_CLI_REPORT_TEXT_H
#define TOOLS_CLI_REPORT_TEXT_H

#include "judge/sheet.h"
#include "tools/cli/page.h"

/* Its title, its heads, its rows, and what it is of. */
void report_text_sheet(struct page *page, const struct sheet *sheet);

#endif
