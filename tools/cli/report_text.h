/* A report's tables on a terminal. */
#ifndef TOOLS_CLI_REPORT_TEXT_H
#define TOOLS_CLI_REPORT_TEXT_H

#include "judge/ledger.h"
#include "judge/sheet.h"
#include "tools/cli/cli.h"
#include "tools/cli/page.h"

/* Its title, its heads, its rows, and what it is of. */
void report_text_sheet(struct page *page, const struct sheet *sheet);

/* Which episodes could not be read, and why: said on stderr. */
void report_text_damage(struct cli *cli, const struct ledger *ledger);

#endif
