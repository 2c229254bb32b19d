#include "tools/cli/judge/figure_cells.h"

#include <math.h>
#include <stdio.h>

void figure_percent_cell(struct text_table *table, enum text_style style,
                         double part)
{
    char text[16] = "–";

    if (!isnan(part))
        snprintf(text, sizeof(text), "%.1f", 100 * part);
    text_table_cell(table, style, text);
}

void figure_interval_cell(struct text_table *table,
                          const struct interval *interval)
{
    char text[32] = "–";

    if (!isnan(interval->low))
        snprintf(text, sizeof(text), "%.1f–%.1f", 100 * interval->low,
                 100 * interval->high);
    text_table_cell(table, TEXT_STYLE_DIM, text);
}

void figure_count_cell(struct text_table *table, size_t count)
{
    char text[24];

    snprintf(text, sizeof(text), "%zu", count);
    text_table_cell(table, TEXT_STYLE_PLAIN, text);
}

void figure_headings(struct text_table *table, const char *const *names,
                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_table_cell(table, TEXT_STYLE_BOLD, names[i]);
}
