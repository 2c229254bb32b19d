#include "judge/report/report_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * In a table whose rows are agents, each sort of phone starts with a heading.
 */
static void head_sort(const struct report *report, size_t row,
                      struct report_table *sheet)
{
    bool builtin = report->rows[row].builtin;

    if (!row || report->rows[row - 1].builtin != builtin)
        report_table_add_heading(sheet,
                                 builtin ? "Built-in phone" : "Real phones");
}

static struct report_table *begin(struct report_tables *sheets, const char *id,
                                  const char *title, const char *note,
                                  const char *label)
{
    struct report_table *sheet = &sheets->items[sheets->count++];

    *sheet = (struct report_table){
        .id = id, .title = title, .note = note, .label = label};
    return sheet;
}

/* ---- success: Table 3 ---- */

/* State, process and all, for one language or for all. */
static void success_columns(struct report_table *sheet, const char *group)
{
    report_table_add_column(sheet, group, "state", REPORT_TABLE_RATE);
    report_table_add_column(sheet, group, "process", REPORT_TABLE_RATE);
    report_table_add_column(sheet, group, "all", REPORT_TABLE_RATE);
}

static size_t find_value(const struct report *report, enum report_facet facet,
                         const char *text)
{
    const struct report_texts *values = &report->values[facet];

    for (size_t i = 0; i < values->count; i++) {
        if (!strcmp(values->items[i], text))
            return i;
    }
    return values->count; /* a value that no entry has */
}

static void success_cells(const struct report *report,
                          struct report_slice slice,
                          struct report_table_cell *cells)
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
                        struct report_table *sheet)
{
    const struct report_texts *languages = &report->values[REPORT_LANGUAGE];
    struct report_slice slice = report_slice(row);
    struct report_table_cell *cells =
        report_table_add_row(sheet, report->rows[row].label);

    for (size_t i = 0; languages->count > 1 && i < languages->count; i++) {
        slice.want[REPORT_LANGUAGE] = i;
        success_cells(report, slice, cells);
        cells += 3;
    }
    slice.want[REPORT_LANGUAGE] = REPORT_ANY;
    success_cells(report, slice, cells);
    cells[3] = cells[2];
    cells[4] = report_table_rate(cells[2].part, cells[2].all);
}

static void success_sheet(const struct report *report,
                          struct report_tables *sheets)
{
    const struct report_texts *languages = &report->values[REPORT_LANGUAGE];
    struct report_table *sheet = begin(
        sheets, "success", "Success, %",
        "Of scored episodes. Averages are over all tasks together; intervals "
        "(95 %) are clustered by task.",
        "agent");

    for (size_t i = 0; languages->count > 1 && i < languages->count; i++)
        success_columns(sheet, languages->items[i]);
    success_columns(sheet,
                    languages->count == 1 ? languages->items[0] : "Overall");
    report_table_add_column(sheet, NULL, "95 %", REPORT_TABLE_RANGE);
    report_table_add_column(sheet, NULL, "episodes", REPORT_TABLE_PART);
    for (size_t i = 0; i < report->row_count; i++) {
        head_sort(report, i, sheet);
        success_row(report, i, sheet);
    }
}

/* ---- outcomes: Table 4 ---- */

static void outcomes_sheet(const struct report *report,
                           struct report_tables *sheets)
{
    struct report_table *sheet =
        begin(sheets, "outcomes", "Outcomes",
              "Uncompleted, of all that did not succeed; stopped early, of "
              "those uncompleted. Void and unscored are in no rate.",
              "agent");

    for (int i = 0; i < OUTCOMES; i++)
        report_table_add_column(sheet, "Episodes",
                                outcome_name((enum outcome)i),
                                REPORT_TABLE_COUNT);
    report_table_add_column(sheet, "%", "uncompleted", REPORT_TABLE_RATE);
    report_table_add_column(sheet, "%", "early stop", REPORT_TABLE_RATE);
    for (size_t i = 0; i < report->row_count; i++) {
        const struct tally *tally = &report->rows[i].tally;
        struct report_table_cell *cells;

        head_sort(report, i, sheet);
        cells = report_table_add_row(sheet, report->rows[i].label);
        for (size_t k = 0; k < OUTCOMES; k++)
            cells[k] = report_table_value((double)tally->outcomes[k]);
        cells[OUTCOMES] =
            report_table_rate(tally->outcomes[OUTCOME_UNCOMPLETED],
                              tally->outcomes[OUTCOME_UNCOMPLETED] +
                                  tally->outcomes[OUTCOME_FAILURE]);
        cells[OUTCOMES + 1] = report_table_rate(
            tally->early, tally->outcomes[OUTCOME_UNCOMPLETED]);
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
                         struct report_tables *sheets)
{
    struct report_table *sheet;

    if (!is_any_scored(report))
        return;
    sheet = begin(
        sheets, "effort", "Degrees and effort",
        "Means over scored episodes. Commands are steps outside the UI, such "
        "as a changed setting. Steps over gold are of successes; tokens and "
        "cost are of episodes that report them.",
        "agent");
    report_table_add_column(sheet, NULL, "key points, %", REPORT_TABLE_RATE);
    report_table_add_column(sheet, NULL, "steps", REPORT_TABLE_NUMBER);
    report_table_add_column(sheet, NULL, "commands", REPORT_TABLE_NUMBER);
    report_table_add_column(sheet, NULL, "over gold", REPORT_TABLE_TIMES);
    report_table_add_column(sheet, NULL, "time", REPORT_TABLE_SECONDS);
    report_table_add_column(sheet, "Tokens", "in", REPORT_TABLE_NUMBER);
    report_table_add_column(sheet, "Tokens", "out", REPORT_TABLE_NUMBER);
    report_table_add_column(sheet, "Cost", "each", REPORT_TABLE_MONEY);
    report_table_add_column(sheet, "Cost", "all", REPORT_TABLE_MONEY);
    for (size_t i = 0; i < report->row_count; i++) {
        const struct tally *tally = &report->rows[i].tally;
        struct report_table_cell *cells;

        head_sort(report, i, sheet);
        cells = report_table_add_row(sheet, report->rows[i].label);
        cells[0] = report_table_rate(tally->met, tally->needs);
        cells[1] = report_table_value(tally_mean(&tally->steps));
        cells[2] = report_table_value(tally->raw_commands.sum > 0
                                          ? tally_mean(&tally->raw_commands)
                                          : (double)NAN);
        cells[3] = report_table_value(tally_mean(&tally->over_gold));
        cells[4] = report_table_value(tally_mean(&tally->seconds));
        cells[5] = report_table_value(tally_mean(&tally->input_tokens));
        cells[6] = report_table_value(tally_mean(&tally->output_tokens));
        cells[7] = report_table_value(tally_mean(&tally->cost));
        cells[8] = report_table_value(tally->cost.count ? tally->cost.sum
                                                        : (double)NAN);
    }
    /* Agents that use no model have no tokens and no cost. */
    report_table_drop_empty(sheet);
}

/* ---- pass@k ---- */

/* 1 to 5, then powers of two, and the largest. */
static size_t next_k(size_t k, size_t last)
{
    size_t next = k < 5 ? k + 1 : 2 * k;

    return k < last && next > last ? last : next;
}

static void pass_row(const struct report *report, size_t row,
                     struct report_table *sheet)
{
    struct report_table_cell *cells =
        report_table_add_row(sheet, report->rows[row].label);

    for (size_t k = 1; k <= report->tries; k = next_k(k, report->tries)) {
        struct report_pass pass = report_pass(report, row, k);

        cells[0] = (struct report_table_cell){
            .value = pass.rate, .interval = pass.interval, .all = pass.tasks};
        cells[1] = cells[0];
        cells += 2;
    }
}

static void pass_sheet(const struct report *report,
                       struct report_tables *sheets)
{
    struct report_table *sheet;

    if (report->tries < 2)
        return;
    sheet = begin(sheets, "pass", "pass@k, %",
                  "How likely at least one of k tries succeeds: the mean over "
                  "tasks with at least k scored tries, without bias.",
                  "agent");
    for (size_t k = 1; k <= report->tries; k = next_k(k, report->tries)) {
        char group[32];

        snprintf(group, sizeof(group), "k = %zu", k);
        report_table_add_column(sheet, group, "%", REPORT_TABLE_RATE);
        report_table_add_column(sheet, group, "95 %", REPORT_TABLE_RANGE);
    }
    for (size_t i = 0; i < report->row_count; i++) {
        head_sort(report, i, sheet);
        pass_row(report, i, sheet);
    }
}

/* ---- by category, app, level, difficulty and task ---- */

/* A column heading: an agent may occur for both sorts of phones. */
static void column_label(const struct report *report, size_t row,
                         struct buf *label)
{
    buf_clear(label);
    buf_text(label, report->rows[row].label);
    if (report->rows[row].builtin && report_has(report, false))
        buf_text(label, ", built-in");
}

static void agent_columns(const struct report *report,
                          struct report_table *sheet, const char *rate,
                          const char *part, enum report_table_form form)
{
    struct buf label = BUF_INIT(SIZE_MAX);

    for (size_t i = 0; i < report->row_count; i++) {
        column_label(report, i, &label);
        if (rate)
            report_table_add_column(sheet, buf_cstr(&label), rate,
                                    REPORT_TABLE_RATE);
        report_table_add_column(sheet, buf_cstr(&label), part, form);
    }
    buf_release(&label);
}

static void facet_row(const struct report *report, enum report_facet facet,
                      size_t value, struct report_table *sheet)
{
    struct report_table_cell *cells =
        report_table_add_row(sheet, report->values[facet].items[value]);

    for (size_t i = 0; i < report->row_count; i++) {
        struct report_slice slice = report_slice(i);
        struct interval interval;
        struct tally tally;

        slice.want[facet] = value;
        report_count(report, &slice, &tally, &interval);
        cells[2 * i] = report_table_rate(tally.outcomes[OUTCOME_SUCCESS],
                                         tally_scored(&tally));
        cells[2 * i].interval = interval;
        cells[2 * i + 1] = cells[2 * i];
    }
}

static void facet_sheet(const struct report *report, enum report_facet facet,
                        const char *title, struct report_tables *sheets)
{
    struct report_table *sheet;

    /*
     * A facet with one value repeats the total and is left out; tasks are
     * always listed.
     */
    if (report->values[facet].count < 2 && facet != REPORT_TASK)
        return;
    sheet = begin(sheets, report_facet_name(facet), title,
                  "Of scored episodes.", report_facet_name(facet));
    agent_columns(report, sheet, "%", "of", REPORT_TABLE_PART);
    for (size_t i = 0; i < report->values[facet].count; i++)
        facet_row(report, facet, i, sheet);
}

/* ---- wordings ---- */

/* Success in one wording. */
static struct report_table_cell wording_cell(const struct report *report,
                                             size_t row, size_t wording)
{
    struct report_slice slice = report_slice(row);
    struct report_table_cell cell;
    struct interval interval;
    struct tally tally;

    slice.want[REPORT_WORDING] = wording;
    report_count(report, &slice, &tally, &interval);
    cell = report_table_rate(tally.outcomes[OUTCOME_SUCCESS],
                             tally_scored(&tally));
    cell.interval = interval;
    return cell;
}

static void spread_sheet(const struct report *report,
                         struct report_tables *sheets)
{
    struct report_table *sheet;

    if (report->values[REPORT_WORDING].count < 2)
        return;
    sheet = begin(sheets, "spread", "Spread over wordings",
                  "Of tasks that were tried in several wordings: done in all "
                  "of them, in some, in none; and success, %, in the wordings "
                  "with the least and the most.",
                  "agent");
    report_table_add_column(sheet, "Tasks", "all", REPORT_TABLE_PART);
    report_table_add_column(sheet, "Tasks", "some", REPORT_TABLE_PART);
    report_table_add_column(sheet, "Tasks", "none", REPORT_TABLE_PART);
    report_table_add_column(sheet, "%", "least", REPORT_TABLE_RATE);
    report_table_add_column(sheet, "%", "most", REPORT_TABLE_RATE);
    for (size_t i = 0; i < report->row_count; i++) {
        const struct report_spread spread = report_spread(report, i);
        struct report_table_cell *cells;

        head_sort(report, i, sheet);
        cells = report_table_add_row(sheet, report->rows[i].label);
        cells[0] = report_table_rate(spread.always, spread.tasks);
        cells[1] = report_table_rate(spread.sometimes, spread.tasks);
        cells[2] = report_table_rate(spread.never, spread.tasks);
        if (spread.worst == REPORT_ANY)
            continue;
        cells[3] = wording_cell(report, i, spread.worst);
        cells[4] = wording_cell(report, i, spread.best);
    }
}

/* ---- checklists ---- */

static void add_share(struct report_table_cell *cells, size_t part, size_t all)
{
    cells[0] = report_table_rate(part, all);
    cells[1] = cells[0];
}

static void question_row(const struct report *report, const char *question,
                         struct report_table *sheet)
{
    struct report_table_cell *cells = report_table_add_row(sheet, question);

    for (size_t i = 0; i < report->row_count; i++) {
        size_t met, asked;

        report_question(report, i, question, &met, &asked);
        add_share(&cells[2 * i], met, asked);
    }
}

static void checklist_sheet(const struct report *report,
                            struct report_tables *sheets)
{
    struct report_texts questions = report_questions(report);

    if (questions.count) {
        struct report_table *sheet =
            begin(sheets, "checklist", "Checklist",
                  "Questions on how it was done, of scored episodes whose task "
                  "has them. They do not decide on success.",
                  "question");
        struct report_table_cell *cells;

        agent_columns(report, sheet, "%", "of", REPORT_TABLE_PART);
        cells = report_table_add_row(sheet, "all");
        for (size_t i = 0; i < report->row_count; i++)
            add_share(&cells[2 * i], report->rows[i].tally.answered,
                      report->rows[i].tally.questions);
        for (size_t i = 0; i < questions.count; i++)
            question_row(report, questions.items[i], sheet);
    }
    free(questions.items);
}

/* ---- why not ---- */

const char *report_failure_words(enum failure_class class_)
{
    static const char *const words[FAILURE_CLASSES] = {
        [FAILURE_NONE] = "unknown",
        [FAILURE_MISSED] = "tapped an empty place, or beside the target",
        [FAILURE_REPEATED] = "repeated itself without effect",
        [FAILURE_FOCUSED] = "tapped a field that had the focus already",
        [FAILURE_TYPED_TASK] = "typed the whole instruction",
        [FAILURE_NOT_COMPLETED] = "reached the goal, but did not complete",
        [FAILURE_TOO_EARLY] = "completed before it was done",
        [FAILURE_UNDONE] = "reached the goal, and undid it",
        [FAILURE_OUTSIDE] = "used an action that is not allowed",
        [FAILURE_BLOCKED] = "was blocked by the guard or the phone",
        [FAILURE_UNPARSED] = "replied without an action",
        [FAILURE_BUDGET] = "ran out of steps or time",
        [FAILURE_GAVE_UP] = "gave up",
        [FAILURE_WRONG] = "did it differently than requested",
    };

    return words[class_];
}

static void failures_sheet(const struct report *report,
                           struct report_tables *sheets)
{
    struct report_table *sheet =
        begin(sheets, "failures", "Why not",
              "Of episodes that did not succeed.", "why");

    agent_columns(report, sheet, "%", "of", REPORT_TABLE_PART);
    for (size_t class_ = 0; class_ < FAILURE_CLASSES; class_++) {
        struct report_table_cell *cells = NULL;

        for (size_t i = 0; i < report->row_count; i++) {
            const struct tally *tally = &report->rows[i].tally;

            if (!tally->failures[class_])
                continue;
            if (!cells)
                cells = report_table_add_row(
                    sheet, report_failure_words((enum failure_class)class_));
            cells[2 * i] =
                report_table_rate(tally->failures[class_],
                                  tally->outcomes[OUTCOME_FAILURE] +
                                      tally->outcomes[OUTCOME_UNCOMPLETED]);
            cells[2 * i + 1] = cells[2 * i];
        }
    }
    if (!sheet->row_count) {
        report_table_release(sheet);
        sheets->count--;
    }
}

static void excluded_sheet(const struct report *report,
                           struct report_tables *sheets)
{
    struct report_reasons reasons;
    struct report_table *sheet;

    report_reasons(report, &reasons);
    if (reasons.count) {
        sheet = begin(sheets, "excluded", "In no rate",
                      "Attempts that were void or unscored, including those "
                      "that were repeated.",
                      "why");
        agent_columns(report, sheet, NULL, "attempts", REPORT_TABLE_COUNT);
        for (size_t i = 0; i < reasons.count; i++) {
            const struct report_reason *reason = &reasons.items[i];

            if (!i || reasons.items[i - 1].outcome != reason->outcome)
                report_table_add_heading(sheet, outcome_name(reason->outcome));
            report_table_add_row(sheet, reason->reason)[reason->row] =
                report_table_value((double)reason->count);
        }
    }
    report_reasons_release(&reasons);
}

void report_tables(const struct report *report, struct report_tables *sheets)
{
    sheets->count = 0;
    if (!report->row_count)
        return;
    success_sheet(report, sheets);
    outcomes_sheet(report, sheets);
    effort_sheet(report, sheets);
    checklist_sheet(report, sheets);
    pass_sheet(report, sheets);
    facet_sheet(report, REPORT_CATEGORY, "By category", sheets);
    facet_sheet(report, REPORT_APP, "By app", sheets);
    facet_sheet(report, REPORT_LEVEL, "By level", sheets);
    facet_sheet(report, REPORT_DIFFICULTY, "By difficulty", sheets);
    facet_sheet(report, REPORT_WORDING, "By wording", sheets);
    spread_sheet(report, sheets);
    failures_sheet(report, sheets);
    excluded_sheet(report, sheets);
    facet_sheet(report, REPORT_TASK, "Task by task", sheets);
}

void report_tables_release(struct report_tables *sheets)
{
    for (size_t i = 0; i < sheets->count; i++)
        report_table_release(&sheets->items[i]);
    sheets->count = 0;
}
