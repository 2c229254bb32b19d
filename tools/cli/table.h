/* Rows of cells in columns as wide as they need to be. */
#ifndef TOOLS_CLI_TABLE_H
#define TOOLS_CLI_TABLE_H

#include <stddef.h>

#include "tools/cli/page.h"

struct table_cell {
    char *text; /* owned; made harmless */
    enum page_style style;
};

struct table {
    size_t columns;
    struct table_cell *cells; /* owned; row by row */
    size_t count;
};

void table_init(struct table *table, size_t columns);
void table_release(struct table *table);

/* The next cell, from left to right; text may be foreign. */
void table_cell(struct table *table, enum page_style style, const char *text);

/* Write all full rows. Nothing is padded at the end of a line. */
void table_write(const struct table *table, struct page *page);

#endif
