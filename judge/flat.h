/*
 * An attempt as one row of a flat table: what happened, what a judge says of
 * it, and what it cost. For spreadsheets and other programs.
 */
#ifndef JUDGE_FLAT_H
#define JUDGE_FLAT_H

#include <stddef.h>
#include <stdint.h>

#include "judge/ledger.h"

enum flat_kind {
    FLAT_TEXT,
    FLAT_WHOLE,
    FLAT_NUMBER,
};

struct flat_cell {
    const char *name; /* of the column */
    enum flat_kind kind;
    const char *text; /* borrowed from the entry; NULL: not known */
    int64_t whole;
    double number; /* NAN: not known */
};

#define FLAT_COLUMNS 31

struct flat_row {
    struct flat_cell cells[FLAT_COLUMNS];
    size_t count; /* always FLAT_COLUMNS, and always in the same order */
};

/* Of an entry, and the run that it is of. An empty entry tells the names. */
void flat_row(const struct ledger_run *run, const struct ledger_entry *entry,
              struct flat_row *row);

#endif
