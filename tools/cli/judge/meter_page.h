/* What the meter found, for people and for programs. */
#ifndef TOOLS_CLI_JUDGE_METER_PAGE_H
#define TOOLS_CLI_JUDGE_METER_PAGE_H

#include "tools/cli/terminal/text_page.h"
#include "tools/meter/judge_set.h"

/* The headline, a row per judge, the best judge's classes, and where judges
 * and truth differ. tables has one per judge. */
void meter_page_write(struct text_page *page, const struct judge_set *judge_set,
                      const struct meter_table *tables);

/* One object per judge and row. The caller frees it. */
struct cJSON *meter_page_json(const struct judge_set *judge_set,
                              const struct meter_table *tables);

#endif
