/* The figures of a zoo as text and as JSON. */
#ifndef TOOLS_CLI_JUDGE_ZOO_PAGE_H
#define TOOLS_CLI_JUDGE_ZOO_PAGE_H

#include "tools/cli/terminal/text_page.h"
#include "tools/meter/zoo_table.h"

void zoo_page_write(struct text_page *page, const struct zoo_table *table);

/* {"policies": […], "tasks": […]}; the caller deletes it. */
struct cJSON *zoo_page_json(const struct zoo_table *table);

#endif
