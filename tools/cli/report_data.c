#include "tools/cli/report_data.h"

#include <math.h>

#include "base/csv.h"
#include "base/json_write.h"

/* ---- JSON ---- */

static void add_text(struct cJSON *into, const char *key, const char *text)
{
    if (text)
        json_add_string(into, key, text);
}

static void add_run(struct cJSON *runs, const struct ledger_run *run)
{
    struct cJSON *object = json_add_object(runs, NULL);
    struct cJSON *judges;

    json_add_string(object, "folder", run->folder);
    add_text(object, "id", run->id);
    add_text(object, "agent", run->agent);
    add_text(object, "suite", run->suite);
    add_text(object, "locale", run->locale);
    json_add_int(object, "created_ms", run->created_ms);
    /* The first is the one that was listened to. */
    judges = json_add_array(object, "judges");
    for (size_t i = 0; i < run->judge_count; i++) {
        struct cJSON *judge = json_add_object(judges, NULL);

        json_add_string(judge, "judge", run->judges[i].name);
        json_add_string(judge, "hash", run->judges[i].hash);
        json_add_int(judge, "verdicts", (int64_t)run->judges[i].verdicts);
    }
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

static void add_cell(struct cJSON *cells, const struct sheet_cell *cell)
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

static void add_sheet(struct cJSON *tables, const struct sheet *sheet)
{
    struct cJSON *object = json_add_object(tables, NULL);
    struct cJSON *columns, *rows;
    const char *heading = NULL;

    json_add_string(object, "table", sheet->id);
    columns = json_add_array(object, "columns");
    for (size_t i = 0; i < sheet->column_count; i++) {
        struct cJSON *column = json_add_object(columns, NULL);

        add_text(column, "group", sheet->columns[i].group);
        json_add_string(column, "name", sheet->columns[i].name);
    }
    rows = json_add_array(object, "rows");
    for (size_t i = 0; i < sheet->row_count; i++) {
        const struct sheet_row *row = &sheet->rows[i];
        struct cJSON *entry, *cells;

        if (row->heading) {
            heading = row->label;
            continue;
        }
        entry = json_add_object(rows, NULL);
        add_text(entry, "under", heading);
        json_add_string(entry, sheet->label, row->label);
        cells = json_add_array(entry, "cells");
        for (size_t k = 0; k < sheet->column_count; k++)
            add_cell(cells, &row->cells[k]);
    }
}

struct cJSON *report_json(const struct report *report,
                          const struct report_sheets *sheets)
{
    struct cJSON *object = json_new_object();
    struct buf headline = BUF_INIT(SIZE_MAX);
    struct cJSON *list;

    report_headline(report, &headline);
    json_add_string(object, "headline", buf_cstr(&headline));
    buf_release(&headline);
    list = json_add_array(object, "runs");
    for (size_t i = 0; i < report->ledger->run_count; i++)
        add_run(list, &report->ledger->runs[i]);
    list = json_add_array(object, "rows");
    for (size_t i = 0; i < report->row_count; i++)
        add_row(list, &report->rows[i]);
    list = json_add_array(object, "tables");
    for (size_t i = 0; i < sheets->count; i++)
        add_sheet(list, &sheets->items[i]);
    return object;
}

/* ---- CSV ---- */

static void begin_cell(struct buf *text)
{
    if (text->length && text->data[text->length - 1] != '\n')
        buf_byte(text, ',');
}

static void text_cell(struct buf *text, const char *value)
{
    begin_cell(text);
    csv_text(text, value ? value : "");
}

static void int_cell(struct buf *text, int64_t value)
{
    begin_cell(text);
    buf_printf(text, "%lld", (long long)value);
}

static void csv_line(struct buf *text, const struct ledger *ledger,
                     const struct ledger_entry *entry)
{
    const struct ledger_run *run = &ledger->runs[entry->run];
    const struct verdict *verdict = &entry->verdict;

    text_cell(text, run->id ? run->id : run->folder);
    text_cell(text, entry->agent);
    text_cell(text, entry->phone);
    int_cell(text, entry->builtin);
    text_cell(text, entry->task);
    int_cell(text, entry->repeat);
    int_cell(text, entry->attempt);
    int_cell(text, entry->counts);
    text_cell(text, entry->app);
    text_cell(text, task_kind_name(entry->kind));
    text_cell(text, entry->locale);
    text_cell(text, entry->category);
    int_cell(text, entry->level);
    text_cell(text, task_difficulty_name(entry->difficulty));
    text_cell(text, verdict->judge);
    text_cell(text, outcome_name(verdict->outcome));
    int_cell(text, verdict->early_stop);
    text_cell(text, verdict->failure.class_ == FAILURE_NONE
                        ? ""
                        : failure_class_name(verdict->failure.class_));
    int_cell(text, (int64_t)verdict->met);
    int_cell(text, (int64_t)verdict->need_count);
    int_cell(text, entry->steps);
    int_cell(text, verdict->gold_steps);
    int_cell(text, entry->duration_ms);
    int_cell(text, entry->input_tokens);
    int_cell(text, entry->cached_tokens);
    int_cell(text, entry->output_tokens);
    begin_cell(text);
    if (!isnan(entry->cost))
        buf_printf(text, "%.9g", entry->cost);
    text_cell(text, trajectory_ending_name(entry->ending));
    text_cell(text, entry->reason);
    text_cell(text, verdict->reason);
    text_cell(text, entry->folder);
    buf_text(text, "\r\n");
}

void report_csv(const struct report *report, struct buf *text)
{
    buf_text(text, "run,agent,phone,builtin,task,repeat,attempt,counts,app,"
                   "kind,locale,category,level,difficulty,judge,outcome,"
                   "early_stop,failure,met,needed,steps,gold_steps,"
                   "duration_ms,input_tokens,cached_tokens,output_tokens,cost,"
                   "ending,reason,verdict_reason,episode\r\n");
    for (size_t i = 0; i < report->ledger->count; i++)
        csv_line(text, report->ledger, &report->ledger->entries[i]);
}
