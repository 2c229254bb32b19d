#include "tools/cli/terminal/text_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/mem.h"

#define COLUMNS_MAX 12
#define GAP 2

void text_table_init(struct text_table *table, size_t columns)
{
    assert(columns <= COLUMNS_MAX);
    *table = (struct text_table){.columns = columns};
}

void text_table_release(struct text_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i].text);
    free(table->cells);
    *table = (struct text_table){0};
}

void text_table_cell(struct text_table *table, enum text_style style,
                     const char *text)
{
    table->cells =
        mem_resize(table->cells, table->count + 1, sizeof(*table->cells));
    table->cells[table->count++] =
        (struct text_table_cell){clean_text_dup(text), style};
}

static void write_row(const struct text_table *table,
                      const struct text_table_cell *cells, const size_t *widths,
                      struct text_page *page)
{
    size_t at = 0; /* where the line ends */
    size_t begin = 0;

    for (size_t i = 0; i < table->columns; i++) {
        if (cells[i].text[0]) {
            text_page_pad(page, at, begin);
            text_page_add(page, cells[i].style, cells[i].text);
            at = begin + text_page_columns(cells[i].text);
        }
        begin += widths[i] + GAP;
    }
    text_page_add(page, TEXT_STYLE_PLAIN, "\n");
}

void text_table_write(const struct text_table *table, struct text_page *page)
{
    size_t widths[COLUMNS_MAX] = {0};

    for (size_t i = 0; i < table->count; i++) {
        size_t columns = text_page_columns(table->cells[i].text);
        size_t *width = &widths[i % table->columns];

        *width = columns > *width ? columns : *width;
    }
    for (size_t i = 0; i < table->count; i += table->columns)
        write_row(table, &table->cells[i], widths, page);
}
