/* Cells of tables with figures; what is not known is a dash. */
#ifndef TOOLS_CLI_JUDGE_FIGURE_CELLS_H
#define TOOLS_CLI_JUDGE_FIGURE_CELLS_H

#include <stddef.h>

#include "judge/statistics/statistics.h"
#include "tools/cli/terminal/text_table.h"

/* A part from 0 to 1, as a percentage; NAN is not known. */
void figure_percent_cell(struct text_table *table, enum text_style style,
                         double part);
/* The same of both ends; low is NAN where it is not known. */
void figure_interval_cell(struct text_table *table,
                          const struct interval *interval);
void figure_count_cell(struct text_table *table, size_t count);

/* The first row. */
void figure_headings(struct text_table *table, const char *const *names,
                     size_t count);

#endif
