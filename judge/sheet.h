/*
 * Tables of figures, as a report has them: what they hold is settled here,
 * how they look is the business of whoever shows them.
 */
#ifndef JUDGE_SHEET_H
#define JUDGE_SHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/statistics.h"

/* What a column's figures are. */
enum sheet_form {
    SHEET_RATE,  /* of 1: shown in percent */
    SHEET_RANGE, /* a rate's interval */
    SHEET_COUNT,
    SHEET_PART, /* so many of so many */
    SHEET_NUMBER,
    SHEET_TIMES, /* so many times as much */
    SHEET_SECONDS,
    SHEET_MONEY,
};

struct sheet_column {
    char *group; /* owned; NULL: none. Equal neighbours share a heading */
    char *name;  /* owned */
    enum sheet_form form;
};

struct sheet_cell {
    double value; /* NAN: there is none */
    struct interval interval;
    size_t part; /* of a rate, a range or a part: what it is of */
    size_t all;
};

struct sheet_row {
    char *label;              /* owned; may hold foreign text */
    bool heading;             /* of the rows that follow; it has no cells */
    struct sheet_cell *cells; /* owned; one per column */
};

struct sheet {
    const char *id; /* for programs: "success" */
    const char *title;
    const char *note;  /* what its figures are of; NULL: nothing to say */
    const char *label; /* what its rows are */
    struct sheet_column *columns;
    size_t column_count;
    struct sheet_row *rows;
    size_t row_count;
};

void sheet_release(struct sheet *sheet);

/* All columns come before the first row. Texts are copied. */
void sheet_add_column(struct sheet *sheet, const char *group, const char *name,
                      enum sheet_form form);
void sheet_add_heading(struct sheet *sheet, const char *label);

/* Returns its cells, which are empty. They move with the next row. */
struct sheet_cell *sheet_add_row(struct sheet *sheet, const char *label);

/* Leave out columns without a figure, and of costs those where all is free. */
void sheet_drop_empty(struct sheet *sheet);

struct sheet_cell sheet_value(double value);
struct sheet_cell sheet_rate(size_t part, size_t all);

#define SHEET_TEXT_MAX 48

/* The figure as people read it; "–" for none (plain ASCII: "-"). */
void sheet_text(const struct sheet_cell *cell, enum sheet_form form, bool ascii,
                char text[SHEET_TEXT_MAX]);

#endif
