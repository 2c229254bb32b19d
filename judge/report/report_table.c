#include "judge/report/report_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void report_table_release(struct report_table *sheet)
{
    for (size_t i = 0; i < sheet->column_count; i++) {
        free(sheet->columns[i].group);
        free(sheet->columns[i].name);
    }
    for (size_t i = 0; i < sheet->row_count; i++) {
        free(sheet->rows[i].label);
        free(sheet->rows[i].cells);
    }
    free(sheet->columns);
    free(sheet->rows);
    *sheet = (struct report_table){.id = NULL};
}

void report_table_add_column(struct report_table *sheet, const char *group,
                             const char *name, enum report_table_form form)
{
    sheet->columns = mem_resize(sheet->columns, sheet->column_count + 1,
                                sizeof(*sheet->columns));
    sheet->columns[sheet->column_count++] =
        (struct report_table_column){.group = group ? mem_dup(group) : NULL,
                                     .name = mem_dup(name),
                                     .form = form};
}

static struct report_table_row *add_row(struct report_table *sheet,
                                        const char *label)
{
    struct report_table_row *row;

    sheet->rows =
        mem_resize(sheet->rows, sheet->row_count + 1, sizeof(*sheet->rows));
    row = &sheet->rows[sheet->row_count++];
    *row = (struct report_table_row){.label = mem_dup(label)};
    return row;
}

void report_table_add_heading(struct report_table *sheet, const char *label)
{
    add_row(sheet, label)->heading = true;
}

struct report_table_cell *report_table_add_row(struct report_table *sheet,
                                               const char *label)
{
    struct report_table_row *row = add_row(sheet, label);

    row->cells = mem_new(sheet->column_count + 1, sizeof(*row->cells));
    for (size_t i = 0; i < sheet->column_count; i++)
        row->cells[i] = report_table_value(NAN);
    return row->cells;
}

static bool is_empty(const struct report_table *sheet, size_t column)
{
    bool money = sheet->columns[column].form == REPORT_TABLE_MONEY;

    for (size_t i = 0; i < sheet->row_count; i++) {
        const struct report_table_cell *cells = sheet->rows[i].cells;

        if (cells && !isnan(cells[column].value) &&
            (!money || cells[column].value != 0))
            return false;
    }
    return true;
}

static void drop_column(struct report_table *sheet, size_t column)
{
    size_t behind = --sheet->column_count - column;

    free(sheet->columns[column].group);
    free(sheet->columns[column].name);
    memmove(&sheet->columns[column], &sheet->columns[column + 1],
            behind * sizeof(*sheet->columns));
    for (size_t i = 0; i < sheet->row_count; i++) {
        struct report_table_cell *cells = sheet->rows[i].cells;

        if (cells)
            memmove(&cells[column], &cells[column + 1],
                    behind * sizeof(*cells));
    }
}

void report_table_drop_empty(struct report_table *sheet)
{
    for (size_t i = sheet->column_count; i > 0; i--) {
        if (is_empty(sheet, i - 1))
            drop_column(sheet, i - 1);
    }
}

struct report_table_cell report_table_value(double value)
{
    return (struct report_table_cell){.value = value, .interval = {NAN, NAN}};
}

struct report_table_cell report_table_rate(size_t part, size_t all)
{
    return (struct report_table_cell){.value = statistics_rate(part, all),
                                      .interval = {NAN, NAN},
                                      .part = part,
                                      .all = all};
}

/* "0.4 s", "12.3 s", "4:05", "1:02:03" */
static void time_text(double seconds, char text[REPORT_TABLE_TEXT_MAX])
{
    long long whole = (long long)(seconds + 0.5);

    if (seconds < 60)
        snprintf(text, REPORT_TABLE_TEXT_MAX, "%.1f s", seconds);
    else if (whole < 3600)
        snprintf(text, REPORT_TABLE_TEXT_MAX, "%lld:%02lld", whole / 60,
                 whole % 60);
    else
        snprintf(text, REPORT_TABLE_TEXT_MAX, "%lld:%02lld:%02lld",
                 whole / 3600, whole / 60 % 60, whole % 60);
}

/* Thousands are abbreviated from ten thousand on. */
static void number_text(double value, char text[REPORT_TABLE_TEXT_MAX])
{
    if (value >= 1e7)
        snprintf(text, REPORT_TABLE_TEXT_MAX, "%.1fM", value / 1e6);
    else if (value >= 1e4)
        snprintf(text, REPORT_TABLE_TEXT_MAX, "%.1fk", value / 1e3);
    else
        snprintf(text, REPORT_TABLE_TEXT_MAX, value >= 1000 ? "%.0f" : "%.1f",
                 value);
}

static void range_text(const struct interval *interval, bool ascii,
                       char text[REPORT_TABLE_TEXT_MAX])
{
    if (isnan(interval->low))
        snprintf(text, REPORT_TABLE_TEXT_MAX, "%s", ascii ? "-" : "–");
    else
        snprintf(text, REPORT_TABLE_TEXT_MAX, "%.1f%s%.1f", 100 * interval->low,
                 ascii ? "-" : "–", 100 * interval->high);
}

void report_table_text(const struct report_table_cell *cell,
                       enum report_table_form form, bool ascii,
                       char text[REPORT_TABLE_TEXT_MAX])
{
    if (form == REPORT_TABLE_PART && cell->all) {
        snprintf(text, REPORT_TABLE_TEXT_MAX, "%zu/%zu", cell->part, cell->all);
        return;
    }
    if (isnan(cell->value) || form == REPORT_TABLE_PART) {
        snprintf(text, REPORT_TABLE_TEXT_MAX, "%s", ascii ? "-" : "–");
        return;
    }
    switch (form) {
    case REPORT_TABLE_RATE:
        snprintf(text, REPORT_TABLE_TEXT_MAX, "%.1f", 100 * cell->value);
        break;
    case REPORT_TABLE_RANGE:
        range_text(&cell->interval, ascii, text);
        break;
    case REPORT_TABLE_COUNT:
        snprintf(text, REPORT_TABLE_TEXT_MAX, "%.0f", cell->value);
        break;
    case REPORT_TABLE_NUMBER:
        number_text(cell->value, text);
        break;
    case REPORT_TABLE_TIMES:
        snprintf(text, REPORT_TABLE_TEXT_MAX, "%.2f", cell->value);
        break;
    case REPORT_TABLE_SECONDS:
        time_text(cell->value, text);
        break;
    case REPORT_TABLE_MONEY:
        snprintf(text, REPORT_TABLE_TEXT_MAX, cell->value < 1 ? "%.4f" : "%.2f",
                 cell->value);
        break;
    case REPORT_TABLE_PART:
        break;
    }
}
