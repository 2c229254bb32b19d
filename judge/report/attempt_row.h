/*
 * An attempt as one row of a flat table: what happened, its verdict and its
 * cost. For spreadsheets and other programs.
 */
#ifndef JUDGE_REPORT_ATTEMPT_ROW_H
#define JUDGE_REPORT_ATTEMPT_ROW_H

#include <stddef.h>
#include <stdint.h>

#include "judge/report/judged_runs.h"

enum attempt_cell_kind {
    ATTEMPT_CELL_TEXT,
    ATTEMPT_CELL_WHOLE,
    ATTEMPT_CELL_NUMBER,
};

struct attempt_cell {
    const char *name; /* of the column */
    enum attempt_cell_kind kind;
    const char *text; /* borrowed from the entry; NULL: not known */
    int64_t whole;
    double number; /* NAN: unknown */
};

#define ATTEMPT_COLUMNS 36

struct attempt_row {
    struct attempt_cell cells[ATTEMPT_COLUMNS];
    size_t count; /* always ATTEMPT_COLUMNS cells, always in the same order */
};

/*
 * Fill the row from an entry and its run. An empty entry gives the column
 * names.
 */
void attempt_row(const struct judged_run *run,
                 const struct judged_attempt *entry, struct attempt_row *row);

#endif
