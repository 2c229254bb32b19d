/* Cells of tables for spreadsheets, as RFC 4180 has them. */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/buf.h"

/*
 * Append a text as a cell, between quotes. What is not UTF-8 is repaired, and
 * what a spreadsheet would take for a formula has an apostrophe before it.
 */
void csv_text(struct buf *csv, const char *text);

#endif
