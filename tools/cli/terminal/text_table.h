/* Rows of cells in columns as wide as they need to be. */
#ifndef TOOLS_CLI_TERMINAL_TEXT_TABLE_H
#define TOOLS_CLI_TERMINAL_TEXT_TABLE_H

#include <stddef.h>

#include "tools/cli/terminal/text_page.h"

struct text_table_cell {
    char *text; /* owned; made harmless */
    enum text_style style;
};

struct text_table {
    size_t columns;
    struct text_table_cell *cells; /* owned; row by row */
    size_t count;
};

void text_table_init(struct text_table *table, size_t columns);
void text_table_release(struct text_table *table);

/* The next cell, from left to right; text may be untrusted. */
void text_table_cell(struct text_table *table, enum text_style style,
                     const char *text);

/* Write all full rows. Nothing is padded at the end of a line. */
void text_table_write(const struct text_table *table, struct text_page *page);

#endif
