/* What the meter found, for people and for programs. */
#ifndef TOOLS_CLI_METER_PAGE_H
#define TOOLS_CLI_METER_PAGE_H

#include "tools/cli/page.h"
#include "tools/meter/jury.h"

/* The headline, a row per judge, the best judge's classes, and where judges
 * and truth differ. tables has one per juror. */
void meter_page_write(struct page *page, const struct jury *jury,
                      const struct meter_table *tables);

/* One object per judge and row. The caller frees it. */
struct cJSON *meter_page_json(const struct jury *jury,
                              const struct meter_table *tables);

#endif
