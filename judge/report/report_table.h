/*
 * Tables of figures for reports. They define the contents; how a table looks is
 * up to the code that prints it.
 */
#ifndef JUDGE_REPORT_REPORT_TABLE_H
#define JUDGE_REPORT_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/statistics/statistics.h"

/* The kinds of figures in a column. */
enum report_table_form {
    REPORT_TABLE_RATE,  /* between 0 and 1, shown in percent */
    REPORT_TABLE_RANGE, /* the interval of a rate */
    REPORT_TABLE_COUNT,
    REPORT_TABLE_PART, /* a part of a whole: "3/5" */
    REPORT_TABLE_NUMBER,
    REPORT_TABLE_TIMES, /* a factor: "1.2 x" */
    REPORT_TABLE_SECONDS,
    REPORT_TABLE_MONEY,
};

struct report_table_column {
    char *group; /* owned; NULL: none. Equal neighbours share a heading */
    char *name;  /* owned */
    enum report_table_form form;
};

struct report_table_cell {
    double value; /* NAN: none */
    struct interval interval;
    size_t part; /* of a rate, a range or a part: the whole */
    size_t all;
};

struct report_table_row {
    char *label;  /* owned; may contain untrusted text */
    bool heading; /* heading of the rows that follow; it has no cells */
    struct report_table_cell *cells; /* owned; one per column */
};

struct report_table {
    const char *id; /* identifier: "success" */
    const char *title;
    const char *note;  /* a note on the figures; NULL: none */
    const char *label; /* what the rows are */
    struct report_table_column *columns;
    size_t column_count;
    struct report_table_row *rows;
    size_t row_count;
};

void report_table_release(struct report_table *sheet);

/* Add all columns before the first row. Texts are copied. */
void report_table_add_column(struct report_table *sheet, const char *group,
                             const char *name, enum report_table_form form);
void report_table_add_heading(struct report_table *sheet, const char *label);

/* Returns its cells, which are empty, valid until the next row is added. */
struct report_table_cell *report_table_add_row(struct report_table *sheet,
                                               const char *label);

/*
 * Remove columns without a figure, and cost columns where everything is free.
 */
void report_table_drop_empty(struct report_table *sheet);

struct report_table_cell report_table_value(double value);
struct report_table_cell report_table_rate(size_t part, size_t all);

#define REPORT_TABLE_TEXT_MAX 48

/* The figure as text; "–" for none (in plain ASCII "-"). */
void report_table_text(const struct report_table_cell *cell,
                       enum report_table_form form, bool ascii,
                       char text[REPORT_TABLE_TEXT_MAX]);

#endif
