#include "tools/cli/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

#define COLUMNS_MAX 12
#define GAP 2

void table_init(struct table *table, size_t columns)
{
    assert(columns <= COLUMNS_MAX);
    *table = (struct table){.columns = columns};
}

void table_release(struct table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i].text);
    free(table->cells);
    *table = (struct table){0};
}

void table_cell(struct table *table, enum page_style style, const char *text)
{
    table->cells =
        mem_resize(table->cells, table->count + 1, sizeof(*table->cells));
    table->cells[table->count++] =
        (struct table_cell){text_dup_clean(text), style};
}

static void write_row(const struct table *table, const struct table_cell *cells,
                      const size_t *widths, struct page *page)
{
    size_t at = 0; /* where the line ends */
    size_t begin = 0;

    for (size_t i = 0; i < table->columns; i++) {
        if (cells[i].text[0]) {
            page_pad(page, at, begin);
            page_text(page, cells[i].style, cells[i].text);
            at = begin + page_columns(cells[i].text);
        }
        begin += widths[i] + GAP;
    }
    page_text(page, PAGE_PLAIN, "\n");
}

void table_write(const struct table *table, struct page *page)
{
    size_t widths[COLUMNS_MAX] = {0};

    for (size_t i = 0; i < table->count; i++) {
        size_t columns = page_columns(table->cells[i].text);
        size_t *width = &widths[i % table->columns];

        *width = columns > *width ? columns : *width;
    }
    for (size_t i = 0; i < table->count; i += table->columns)
        write_row(table, &table->cells[i], widths, page);
}
