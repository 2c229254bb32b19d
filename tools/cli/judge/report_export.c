#include "tools/cli/judge/report_export.h"

#include <math.h>

#include "base/csv.h"
#include "base/json_write.h"
#include "judge/report/attempt_row.h"

/* ---- JSON ---- */

static void add_run(struct cJSON *runs, const struct judged_run *run)
{
    struct cJSON *object = json_add_object(runs, NULL);
    struct cJSON *judges;
    struct cJSON *faults;

    json_add_string(object, "folder", run->folder);
    json_add_opt_string(object, "id", run->id);
    json_add_opt_string(object, "agent", run->agent);
    json_add_opt_string(object, "suite", run->suite);
    json_add_opt_string(object, "locale", run->locale);
    json_add_int(object, "created_ms", run->created_ms);
    /* The first is the one that was listened to. */
    judges = json_add_array(object, "judges");
    for (size_t i = 0; i < run->judge_count; i++) {
        struct cJSON *judge = json_add_object(judges, NULL);

        json_add_string(judge, "judge", run->judges[i].name);
        json_add_string(judge, "hash", run->judges[i].hash);
        json_add_int(judge, "verdicts", (int64_t)run->judges[i].verdicts);
    }
    faults = json_add_array(object, "faults");
    for (size_t i = 0; i < run->faults.count; i++)
        json_add_string(faults, NULL, run->faults.items[i]);
}

static void add_row(struct cJSON *rows, const struct report_row *row)
{
    struct cJSON *object = json_add_object(rows, NULL);
    const struct tally *tally = &row->tally;

    json_add_string(object, "label", row->label);
    json_add_string(object, "agent", row->agent);
    json_add_int(object, "run", (int64_t)row->run);
    json_add_bool(object, "builtin", row->builtin);
    for (int i = 0; i < OUTCOMES; i++)
        json_add_int(object, outcome_name((enum outcome)i),
                     (int64_t)tally->outcomes[i]);
    json_add_int(object, "early_stop", (int64_t)tally->early);
    json_add_int(object, "scored", (int64_t)tally_scored(tally));
    json_add_number(object, "success_rate", tally_success(tally));
    json_add_number(object, "low", row->success.low);
    json_add_number(object, "high", row->success.high);
}

static void add_cell(struct cJSON *cells, const struct report_table_cell *cell)
{
    struct cJSON *object;

    if (isnan(cell->value)) {
        json_add_null(cells, NULL);
        return;
    }
    object = json_add_object(cells, NULL);
    json_add_number(object, "value", cell->value);
    if (!isnan(cell->interval.low)) {
        json_add_number(object, "low", cell->interval.low);
        json_add_number(object, "high", cell->interval.high);
    }
    if (cell->all) {
        json_add_int(object, "part", (int64_t)cell->part);
        json_add_int(object, "of", (int64_t)cell->all);
    }
}

static void add_sheet(struct cJSON *tables, const struct report_table *sheet)
{
    struct cJSON *object = json_add_object(tables, NULL);
    struct cJSON *columns, *rows;
    const char *heading = NULL;

    json_add_string(object, "table", sheet->id);
    columns = json_add_array(object, "columns");
    for (size_t i = 0; i < sheet->column_count; i++) {
        struct cJSON *column = json_add_object(columns, NULL);

        json_add_opt_string(column, "group", sheet->columns[i].group);
        json_add_string(column, "name", sheet->columns[i].name);
    }
    rows = json_add_array(object, "rows");
    for (size_t i = 0; i < sheet->row_count; i++) {
        const struct report_table_row *row = &sheet->rows[i];
        struct cJSON *entry, *cells;

        if (row->heading) {
            heading = row->label;
            continue;
        }
        entry = json_add_object(rows, NULL);
        json_add_opt_string(entry, "under", heading);
        json_add_string(entry, sheet->label, row->label);
        cells = json_add_array(entry, "cells");
        for (size_t k = 0; k < sheet->column_count; k++)
            add_cell(cells, &row->cells[k]);
    }
}

struct cJSON *report_export_json(const struct report *report,
                                 const struct report_tables *sheets)
{
    struct cJSON *object = json_new_object();
    struct buf headline = BUF_INIT(SIZE_MAX);
    struct cJSON *list;

    report_headline(report, &headline);
    json_add_string(object, "headline", buf_cstr(&headline));
    buf_release(&headline);
    list = json_add_array(object, "runs");
    for (size_t i = 0; i < report->judged->run_count; i++)
        add_run(list, &report->judged->runs[i]);
    list = json_add_array(object, "rows");
    for (size_t i = 0; i < report->row_count; i++)
        add_row(list, &report->rows[i]);
    list = json_add_array(object, "tables");
    for (size_t i = 0; i < sheets->count; i++)
        add_sheet(list, &sheets->items[i]);
    return object;
}

/* ---- CSV ---- */

static void write_cell(struct buf *text, const struct attempt_cell *cell)
{
    switch (cell->kind) {
    case ATTEMPT_CELL_TEXT:
        csv_text(text, cell->text ? cell->text : "");
        break;
    case ATTEMPT_CELL_WHOLE:
        buf_printf(text, "%lld", (long long)cell->whole);
        break;
    case ATTEMPT_CELL_NUMBER:
        if (!isnan(cell->number))
            buf_printf(text, "%.9g", cell->number);
        break;
    }
}

static void write_names(struct buf *text)
{
    const struct judged_run nowhere = {.folder = NULL};
    const struct judged_attempt nothing = {.folder = NULL};
    struct attempt_row row;

    attempt_row(&nowhere, &nothing, &row);
    for (size_t i = 0; i < row.count; i++)
        buf_printf(text, "%s%s", i ? "," : "", row.cells[i].name);
    buf_text(text, "\r\n");
}

void report_export_csv(const struct report *report, struct buf *text)
{
    const struct judged_runs *judged = report->judged;

    write_names(text);
    for (size_t i = 0; i < judged->count; i++) {
        const struct judged_attempt *entry = &judged->entries[i];
        struct attempt_row row;

        attempt_row(&judged->runs[entry->run], entry, &row);
        for (size_t k = 0; k < row.count; k++) {
            if (k)
                buf_byte(text, ',');
            write_cell(text, &row.cells[k]);
        }
        buf_text(text, "\r\n");
    }
}
