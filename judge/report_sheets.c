#include "judge/report_sheets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A sheet whose rows are agents begins each sort of phone with a heading. */
static void head_sort(const struct report *report, size_t row,
                      struct sheet *sheet)
{
    bool builtin = report->rows[row].builtin;

    if (!row || report->rows[row - 1].builtin != builtin)
        sheet_add_heading(sheet, builtin ? "Built-in phone" : "Real phones");
}

static struct sheet *begin(struct report_sheets *sheets, const char *id,
                           const char *title, const char *note,
                           const char *label)
{
    struct sheet *sheet = &sheets->items[sheets->count++];

    *sheet =
        (struct sheet){.id = id, .title = title, .note = note, .label = label};
    return sheet;
}

/* ---- success: Table 3 ---- */

/* State, process and both, of one language or of all. */
static void success_columns(struct sheet *sheet, const char *group)
{
    sheet_add_column(sheet, group, "state", SHEET_RATE);
    sheet_add_column(sheet, group, "process", SHEET_RATE);
    sheet_add_column(sheet, group, "all", SHEET_RATE);
}

static size_t find_value(const struct report *report, enum report_facet facet,
                         const char *text)
{
    const struct report_texts *values = &report->values[facet];

    for (size_t i = 0; i < values->count; i++) {
        if (!strcmp(values->items[i], text))
            return i;
    }
    return values->count; /* which no entry has */
}

static void success_cells(const struct report *report,
                          struct report_slice slice, struct sheet_cell *cells)
{
    static const char *const kinds[] = {"state", "process", NULL};

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct tally tally;

        slice.want[REPORT_KIND] =
            kinds[i] ? find_value(report, REPORT_KIND, kinds[i]) : REPORT_ANY;
        report_count(report, &slice, &tally, &cells[i].interval);
        cells[i].value = tally_success(&tally);
        cells[i].part = tally.outcomes[OUTCOME_SUCCESS];
        cells[i].all = tally_scored(&tally);
    }
}

static void success_row(const struct report *report, size_t row,
                        struct sheet *sheet)
{
    const struct report_texts *languages = &report->values[REPORT_LANGUAGE];
    struct report_slice slice = report_slice(row);
    struct sheet_cell *cells = sheet_add_row(sheet, report->rows[row].label);

    for (size_t i = 0; languages->count > 1 && i < languages->count; i++) {
        slice.want[REPORT_LANGUAGE] = i;
        success_cells(report, slice, cells);
        cells += 3;
    }
    slice.want[REPORT_LANGUAGE] = REPORT_ANY;
    success_cells(report, slice, cells);
    cells[3] = cells[2];
    cells[4] = sheet_rate(cells[2].part, cells[2].all);
}

static void success_sheet(const struct report *report,
                          struct report_sheets *sheets)
{
    const struct report_texts *languages = &report->values[REPORT_LANGUAGE];
    struct sheet *sheet = begin(
        sheets, "success", "Success, %",
        "Of scored episodes. Averages are over all tasks together; intervals "
        "(95 %) are clustered by task.",
        "agent");

    for (size_t i = 0; languages->count > 1 && i < languages->count; i++)
        success_columns(sheet, languages->items[i]);
    success_columns(sheet,
                    languages->count == 1 ? languages->items[0] : "Overall");
    sheet_add_column(sheet, NULL, "95 %", SHEET_RANGE);
    sheet_add_column(sheet, NULL, "episodes", SHEET_PART);
    for (size_t i = 0; i < report->row_count; i++) {
        head_sort(report, i, sheet);
        success_row(report, i, sheet);
    }
}

/* ---- outcomes: Table 4 ---- */

static void outcomes_sheet(const struct report *report,
                           struct report_sheets *sheets)
{
    struct sheet *sheet =
        begin(sheets, "outcomes", "Outcomes",
              "Uncompleted, of all that did not succeed; stopped early, of "
              "those uncompleted. Void and unscored are in no rate.",
              "agent");

    for (int i = 0; i < OUTCOMES; i++)
        sheet_add_column(sheet, "Episodes", outcome_name((enum outcome)i),
                         SHEET_COUNT);
    sheet_add_column(sheet, "%", "uncompleted", SHEET_RATE);
    sheet_add_column(sheet, "%", "early stop", SHEET_RATE);
    for (size_t i = 0; i < report->row_count; i++) {
        const struct tally *tally = &report->rows[i].tally;
        struct sheet_cell *cells;

        head_sort(report, i, sheet);
        cells = sheet_add_row(sheet, report->rows[i].label);
        for (size_t k = 0; k < OUTCOMES; k++)
            cells[k] = sheet_value((double)tally->outcomes[k]);
        cells[OUTCOMES] = sheet_rate(tally->outcomes[OUTCOME_UNCOMPLETED],
                                     tally->outcomes[OUTCOME_UNCOMPLETED] +
                                         tally->outcomes[OUTCOME_FAILURE]);
        cells[OUTCOMES + 1] =
            sheet_rate(tally->early, tally->outcomes[OUTCOME_UNCOMPLETED]);
    }
}

/* ---- effort ---- */

static bool is_any_scored(const struct report *report)
{
    for (size_t i = 0; i < report->row_count; i++) {
        if (report->rows[i].tally.steps.count)
            return true;
    }
    return false;
}

static void effort_sheet(const struct report *report,
                         struct report_sheets *sheets)
{
    struct sheet *sheet;

    if (!is_any_scored(report))
        return;
    sheet = begin(
        sheets, "effort", "Degrees and effort",
        "Means over scored episodes. Steps over gold are those of successes; "
        "tokens and cost are of episodes that tell them.",
        "agent");
    sheet_add_column(sheet, NULL, "key points, %", SHEET_RATE);
    sheet_add_column(sheet, NULL, "steps", SHEET_NUMBER);
    sheet_add_column(sheet, NULL, "over gold", SHEET_TIMES);
    sheet_add_column(sheet, NULL, "time", SHEET_SECONDS);
    sheet_add_column(sheet, "Tokens", "in", SHEET_NUMBER);
    sheet_add_column(sheet, "Tokens", "out", SHEET_NUMBER);
    sheet_add_column(sheet, "Cost", "each", SHEET_MONEY);
    sheet_add_column(sheet, "Cost", "all", SHEET_MONEY);
    for (size_t i = 0; i < report->row_count; i++) {
        const struct tally *tally = &report->rows[i].tally;
        struct sheet_cell *cells;

        head_sort(report, i, sheet);
        cells = sheet_add_row(sheet, report->rows[i].label);
        cells[0] = sheet_rate(tally->met, tally->needs);
        cells[1] = sheet_value(tally_mean(&tally->steps));
        cells[2] = sheet_value(tally_mean(&tally->over_gold));
        cells[3] = sheet_value(tally_mean(&tally->seconds));
        cells[4] = sheet_value(tally_mean(&tally->input_tokens));
        cells[5] = sheet_value(tally_mean(&tally->output_tokens));
        cells[6] = sheet_value(tally_mean(&tally->cost));
        cells[7] =
            sheet_value(tally->cost.count ? tally->cost.sum : (double)NAN);
    }
    /* Who asks no model has no tokens, and costs nothing. */
    sheet_drop_empty(sheet);
}

/* ---- pass@k ---- */

/* 1 to 5, and then every doubling, and the last. */
static size_t next_k(size_t k, size_t last)
{
    size_t next = k < 5 ? k + 1 : 2 * k;

    return k < last && next > last ? last : next;
}

static void pass_row(const struct report *report, size_t row,
                     struct sheet *sheet)
{
    struct sheet_cell *cells = sheet_add_row(sheet, report->rows[row].label);

    for (size_t k = 1; k <= report->tries; k = next_k(k, report->tries)) {
        struct report_pass pass = report_pass(report, row, k);

        cells[0] = (struct sheet_cell){
            .value = pass.rate, .interval = pass.interval, .all = pass.tasks};
        cells[1] = cells[0];
        cells += 2;
    }
}

static void pass_sheet(const struct report *report,
                       struct report_sheets *sheets)
{
    struct sheet *sheet;

    if (report->tries < 2)
        return;
    sheet = begin(sheets, "pass", "pass@k, %",
                  "How likely at least one of k tries succeeds: the mean over "
                  "tasks with at least k scored tries, without bias.",
                  "agent");
    for (size_t k = 1; k <= report->tries; k = next_k(k, report->tries)) {
        char group[32];

        snprintf(group, sizeof(group), "k = %zu", k);
        sheet_add_column(sheet, group, "%", SHEET_RATE);
        sheet_add_column(sheet, group, "95 %", SHEET_RANGE);
    }
    for (size_t i = 0; i < report->row_count; i++) {
        head_sort(report, i, sheet);
        pass_row(report, i, sheet);
    }
}

/* ---- by category, app, level, difficulty and task ---- */

/* A column heading: both sorts of phones may have an agent of that name. */
static void column_label(const struct report *report, size_t row,
                         struct buf *label)
{
    buf_clear(label);
    buf_text(label, report->rows[row].label);
    if (report->rows[row].builtin && report_has(report, false))
        buf_text(label, ", built-in");
}

static void agent_columns(const struct report *report, struct sheet *sheet,
                          const char *rate, const char *part,
                          enum sheet_form form)
{
    struct buf label = BUF_INIT(SIZE_MAX);

    for (size_t i = 0; i < report->row_count; i++) {
        column_label(report, i, &label);
        if (rate)
            sheet_add_column(sheet, buf_cstr(&label), rate, SHEET_RATE);
        sheet_add_column(sheet, buf_cstr(&label), part, form);
    }
    buf_release(&label);
}

static void facet_row(const struct report *report, enum report_facet facet,
                      size_t value, struct sheet *sheet)
{
    struct sheet_cell *cells =
        sheet_add_row(sheet, report->values[facet].items[value]);

    for (size_t i = 0; i < report->row_count; i++) {
        struct report_slice slice = report_slice(i);
        struct interval interval;
        struct tally tally;

        slice.want[facet] = value;
        report_count(report, &slice, &tally, &interval);
        cells[2 * i] =
            sheet_rate(tally.outcomes[OUTCOME_SUCCESS], tally_scored(&tally));
        cells[2 * i].interval = interval;
        cells[2 * i + 1] = cells[2 * i];
    }
}

static void facet_sheet(const struct report *report, enum report_facet facet,
                        const char *title, struct report_sheets *sheets)
{
    struct sheet *sheet;

    /* One value says what the whole says; but tasks are always listed. */
    if (report->values[facet].count < 2 && facet != REPORT_TASK)
        return;
    sheet = begin(sheets, report_facet_name(facet), title,
                  "Of scored episodes.", report_facet_name(facet));
    agent_columns(report, sheet, "%", "of", SHEET_PART);
    for (size_t i = 0; i < report->values[facet].count; i++)
        facet_row(report, facet, i, sheet);
}

/* ---- why not ---- */

const char *report_failure_words(enum failure_class class_)
{
    static const char *const words[FAILURE_CLASSES] = {
        [FAILURE_NONE] = "not told",
        [FAILURE_MISSED] = "tapped nothing, or beside the target",
        [FAILURE_REPEATED] = "repeated itself without effect",
        [FAILURE_FOCUSED] = "tapped a field that had the focus already",
        [FAILURE_TYPED_TASK] = "typed the whole instruction",
        [FAILURE_NEVER_SAID] = "reached the goal, and never said so",
        [FAILURE_TOO_EARLY] = "said so before it was done",
        [FAILURE_UNDONE] = "passed the goal, and undid it",
        [FAILURE_OUTSIDE] = "acted outside the action space",
        [FAILURE_UNPARSED] = "replied without an action",
        [FAILURE_BUDGET] = "ran out of steps or time",
        [FAILURE_GAVE_UP] = "gave up",
        [FAILURE_WRONG] = "did it otherwise than asked",
    };

    return words[class_];
}

static void failures_sheet(const struct report *report,
                           struct report_sheets *sheets)
{
    struct sheet *sheet = begin(sheets, "failures", "Why not",
                                "Of episodes that did not succeed.", "why");

    agent_columns(report, sheet, "%", "of", SHEET_PART);
    for (size_t class_ = 0; class_ < FAILURE_CLASSES; class_++) {
        struct sheet_cell *cells = NULL;

        for (size_t i = 0; i < report->row_count; i++) {
            const struct tally *tally = &report->rows[i].tally;

            if (!tally->failures[class_])
                continue;
            if (!cells)
                cells = sheet_add_row(
                    sheet, report_failure_words((enum failure_class)class_));
            cells[2 * i] = sheet_rate(tally->failures[class_],
                                      tally->outcomes[OUTCOME_FAILURE] +
                                          tally->outcomes[OUTCOME_UNCOMPLETED]);
            cells[2 * i + 1] = cells[2 * i];
        }
    }
    if (!sheet->row_count) {
        sheet_release(sheet);
        sheets->count--;
    }
}

static void excluded_sheet(const struct report *report,
                           struct report_sheets *sheets)
{
    struct report_reasons reasons;
    struct sheet *sheet;

    report_reasons(report, &reasons);
    if (reasons.count) {
        sheet = begin(sheets, "excluded", "In no rate",
                      "Attempts that were void or unscored, also those that "
                      "were tried again.",
                      "why");
        agent_columns(report, sheet, NULL, "attempts", SHEET_COUNT);
        for (size_t i = 0; i < reasons.count; i++) {
            const struct report_reason *reason = &reasons.items[i];

            if (!i || reasons.items[i - 1].outcome != reason->outcome)
                sheet_add_heading(sheet, outcome_name(reason->outcome));
            sheet_add_row(sheet, reason->reason)[reason->row] =
                sheet_value((double)reason->count);
        }
    }
    report_reasons_release(&reasons);
}

void report_sheets(const struct report *report, struct report_sheets *sheets)
{
    sheets->count = 0;
    if (!report->row_count)
        return;
    success_sheet(report, sheets);
    outcomes_sheet(report, sheets);
    effort_sheet(report, sheets);
    pass_sheet(report, sheets);
    facet_sheet(report, REPORT_CATEGORY, "By category", sheets);
    facet_sheet(report, REPORT_APP, "By app", sheets);
    facet_sheet(report, REPORT_LEVEL, "By level", sheets);
    facet_sheet(report, REPORT_DIFFICULTY, "By difficulty", sheets);
    failures_sheet(report, sheets);
    excluded_sheet(report, sheets);
    facet_sheet(report, REPORT_TASK, "Task by task", sheets);
}

void report_sheets_release(struct report_sheets *sheets)
{
    for (size_t i = 0; i < sheets->count; i++)
        sheet_release(&sheets->items[i]);
    sheets->count = 0;
}
