#include "judge/sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void sheet_release(struct sheet *sheet)
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
    *sheet = (struct sheet){.id = NULL};
}

void sheet_add_column(struct sheet *sheet, const char *group, const char *name,
                      enum sheet_form form)
{
    sheet->columns = mem_resize(sheet->columns, sheet->column_count + 1,
                                sizeof(*sheet->columns));
    sheet->columns[sheet->column_count++] =
        (struct sheet_column){.group = group ? mem_dup(group) : NULL,
                              .name = mem_dup(name),
                              .form = form};
}

static struct sheet_row *add_row(struct sheet *sheet, const char *label)
{
    struct sheet_row *row;

    sheet->rows =
        mem_resize(sheet->rows, sheet->row_count + 1, sizeof(*sheet->rows));
    row = &sheet->rows[sheet->row_count++];
    *row = (struct sheet_row){.label = mem_dup(label)};
    return row;
}

void sheet_add_heading(struct sheet *sheet, const char *label)
{
    add_row(sheet, label)->heading = true;
}

struct sheet_cell *sheet_add_row(struct sheet *sheet, const char *label)
{
    struct sheet_row *row = add_row(sheet, label);

    row->cells = mem_new(sheet->column_count + 1, sizeof(*row->cells));
    for (size_t i = 0; i < sheet->column_count; i++)
        row->cells[i] = sheet_value(NAN);
    return row->cells;
}

static bool is_empty(const struct sheet *sheet, size_t column)
{
    bool money = sheet->columns[column].form == SHEET_MONEY;

    for (size_t i = 0; i < sheet->row_count; i++) {
        const struct sheet_cell *cells = sheet->rows[i].cells;

        if (cells && !isnan(cells[column].value) &&
            (!money || cells[column].value != 0))
            return false;
    }
    return true;
}

static void drop_column(struct sheet *sheet, size_t column)
{
    size_t behind = --sheet->column_count - column;

    free(sheet->columns[column].group);
    free(sheet->columns[column].name);
    memmove(&sheet->columns[column], &sheet->columns[column + 1],
            behind * sizeof(*sheet->columns));
    for (size_t i = 0; i < sheet->row_count; i++) {
        struct sheet_cell *cells = sheet->rows[i].cells;

        if (cells)
            memmove(&cells[column], &cells[column + 1],
                    behind * sizeof(*cells));
    }
}

void sheet_drop_empty(struct sheet *sheet)
{
    for (size_t i = sheet->column_count; i > 0; i--) {
        if (is_empty(sheet, i - 1))
            drop_column(sheet, i - 1);
    }
}

struct sheet_cell sheet_value(double value)
{
    return (struct sheet_cell){.value = value, .interval = {NAN, NAN}};
}

struct sheet_cell sheet_rate(size_t part, size_t all)
{
    return (struct sheet_cell){.value = statistics_rate(part, all),
                               .interval = {NAN, NAN},
                               .part = part,
                               .all = all};
}

/* "0.4 s", "12.3 s", "4:05", "1:02:03" */
static void time_text(double seconds, char text[SHEET_TEXT_MAX])
{
    long long whole = (long long)(seconds + 0.5);

    if (seconds < 60)
        snprintf(text, SHEET_TEXT_MAX, "%.1f s", seconds);
    else if (whole < 3600)
        snprintf(text, SHEET_TEXT_MAX, "%lld:%02lld", whole / 60, whole % 60);
    else
        snprintf(text, SHEET_TEXT_MAX, "%lld:%02lld:%02lld", whole / 3600,
                 whole / 60 % 60, whole % 60);
}

/* Thousands from ten thousand on, as more digits tell nobody more. */
static void number_text(double value, char text[SHEET_TEXT_MAX])
{
    if (value >= 1e7)
        snprintf(text, SHEET_TEXT_MAX, "%.1fM", value / 1e6);
    else if (value >= 1e4)
        snprintf(text, SHEET_TEXT_MAX, "%.1fk", value / 1e3);
    else
        snprintf(text, SHEET_TEXT_MAX, value >= 1000 ? "%.0f" : "%.1f", value);
}

static void range_text(const struct interval *interval, bool ascii,
                       char text[SHEET_TEXT_MAX])
{
    if (isnan(interval->low))
        snprintf(text, SHEET_TEXT_MAX, "%s", ascii ? "-" : "–");
    else
        snprintf(text, SHEET_TEXT_MAX, "%.1f%s%.1f", 100 * interval->low,
                 ascii ? "-" : "–", 100 * interval->high);
}

void sheet_text(const struct sheet_cell *cell, enum sheet_form form, bool ascii,
                char text[SHEET_TEXT_MAX])
{
    if (form == SHEET_PART && cell->all) {
        snprintf(text, SHEET_TEXT_MAX, "%zu/%zu", cell->part, cell->all);
        return;
    }
    if (isnan(cell->value) || form == SHEET_PART) {
        snprintf(text, SHEET_TEXT_MAX, "%s", ascii ? "-" : "–");
        return;
    }
    switch (form) {
    case SHEET_RATE:
        snprintf(text, SHEET_TEXT_MAX, "%.1f", 100 * cell->value);
        break;
    case SHEET_RANGE:
        range_text(&cell->interval, ascii, text);
        break;
    case SHEET_COUNT:
        snprintf(text, SHEET_TEXT_MAX, "%.0f", cell->value);
        break;
    case SHEET_NUMBER:
        number_text(cell->value, text);
        break;
    case SHEET_TIMES:
        snprintf(text, SHEET_TEXT_MAX, "%.2f", cell->value);
        break;
    case SHEET_SECONDS:
        time_text(cell->value, text);
        break;
    case SHEET_MONEY:
        snprintf(text, SHEET_TEXT_MAX, cell->value < 1 ? "%.4f" : "%.2f",
                 cell->value);
        break;
    case SHEET_PART:
        break;
    }
}
