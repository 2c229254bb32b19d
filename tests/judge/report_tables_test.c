/* The paper's tables as test vectors, and what is in no rate. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "judge/report_sheets.h"

/* ---- ledgers made by hand ---- */

static struct ledger_entry *add(struct ledger *ledger, const char *agent,
                                const char *task)
{
    struct ledger_entry *entry;

    ledger->entries = mem_resize(ledger->entries, ledger->count + 1,
                                 sizeof(*ledger->entries));
    entry = &ledger->entries[ledger->count++];
    *entry = (struct ledger_entry){.folder = mem_dup("episodes/x"),
                                   .task = mem_dup(task),
                                   .agent = mem_dup(agent),
                                   .locale = mem_dup("en-US"),
                                   .counts = true,
                                   .judged = true,
                                   .cost = NAN,
                                   .verdict = VERDICT_INIT};
    entry->verdict.outcome = OUTCOME_FAILURE;
    return entry;
}

static void make_run(struct ledger *ledger)
{
    ledger->runs =
        mem_resize(ledger->runs, ledger->run_count + 1, sizeof(*ledger->runs));
    ledger->runs[ledger->run_count++] =
        (struct ledger_run){.folder = mem_dup("runs/a"), .id = mem_dup("a")};
}

/* Tasks of the paper: 52 and 23 in English, 97 and 45 in Chinese. */
static const struct {
    const char *locale;
    enum task_kind kind;
    size_t count;
} quarters[] = {
    {"en-US", TASK_STATE, 52},
    {"en-US", TASK_PROCESS, 23},
    {"zh-CN", TASK_STATE, 97},
    {"zh-CN", TASK_PROCESS, 45},
};

/* One agent of the paper, with so many successes in each quarter. */
struct vector {
    const char *agent;
    size_t successes[4];
    size_t uncompleted; /* of those that did not succeed */
    size_t early;
    double shown[9]; /* as printed in Table 3 */
    double shown_uncompleted;
    double shown_early; /* as printed in Table 4; 0: not printed */
};

static const struct vector vectors[] = {
    {"Gemini 2.5 Pro",
     {23, 5, 45, 14},
     117,
     58,
     {44.2, 21.7, 37.3, 46.4, 31.1, 41.5, 45.6, 27.9, 40.1},
     90.0,
     49.6},
    {"Qwen2.5-VL-7B",
     {4, 0, 6, 1},
     193,
     123,
     {7.7, 0.0, 5.3, 6.2, 2.2, 4.9, 6.7, 1.5, 5.1},
     93.7,
     63.7},
    {"Qwen2.5-VL-32B",
     {14, 2, 14, 6},
     167,
     112,
     {26.9, 8.7, 21.3, 14.4, 13.3, 14.1, 18.8, 11.8, 16.6},
     92.3,
     67.1},
    {"Qwen2.5-VL-72B",
     {33, 7, 28, 12},
     98,
     49,
     {63.5, 30.4, 53.3, 28.9, 26.7, 28.2, 40.9, 27.9, 36.9},
     71.5,
     50.0},
    {"InternVL3-8B",
     {7, 0, 3, 1},
     122,
     95,
     {13.5, 0.0, 9.3, 3.1, 2.2, 2.8, 6.7, 1.5, 5.1},
     59.2,
     77.9},
    {"UI-TARS-1.5-7B",
     {14, 2, 3, 0},
     194,
     85,
     {26.9, 8.7, 21.3, 3.1, 0.0, 2.1, 11.4, 2.9, 8.8},
     98.0,
     43.8},
    {"GUI-R1-3B",
     {8, 0, 10, 0},
     51,
     30,
     {15.4, 0.0, 10.7, 10.3, 0.0, 7.0, 12.1, 0.0, 8.3},
     25.6,
     58.8},
    {"UI-R1-E-3B", {0, 0, 0, 0}, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0, 0}, 0, 0},
};

static void add_vector(struct ledger *ledger, const struct vector *vector)
{
    size_t uncompleted = vector->uncompleted, early = vector->early;

    for (size_t q = 0; q < ARRAY_LEN(quarters); q++) {
        for (size_t i = 0; i < quarters[q].count; i++) {
            struct ledger_entry *entry;
            char task[32];

            snprintf(task, sizeof(task), "t%zu-%zu", q, i);
            entry = add(ledger, vector->agent, task);
            free(entry->locale);
            entry->locale = mem_dup(quarters[q].locale);
            entry->kind = quarters[q].kind;
            if (i < vector->successes[q]) {
                entry->verdict.outcome = OUTCOME_SUCCESS;
            } else if (uncompleted) {
                entry->verdict.outcome = OUTCOME_UNCOMPLETED;
                entry->verdict.early_stop = early > 0;
                uncompleted--;
                early -= early > 0;
            }
        }
    }
}

static const struct sheet *find_sheet(const struct report_sheets *sheets,
                                      const char *id)
{
    for (size_t i = 0; i < sheets->count; i++) {
        if (!strcmp(sheets->items[i].id, id))
            return &sheets->items[i];
    }
    return NULL;
}

static const struct sheet_row *find_row(const struct sheet *sheet,
                                        const char *label)
{
    assert_non_null(sheet);
    for (size_t i = 0; i < sheet->row_count; i++) {
        if (!strcmp(sheet->rows[i].label, label) && !sheet->rows[i].heading)
            return &sheet->rows[i];
    }
    fail_msg("there is no row %s", label);
    return NULL;
}

/* The shown text of a cell, found by its row and column. */
static void expect(const struct sheet *sheet, const char *row, size_t column,
                   const char *expected)
{
    char text[SHEET_TEXT_MAX];

    assert_in_range(column, 0, sheet->column_count - 1);
    sheet_text(&find_row(sheet, row)->cells[column],
               sheet->columns[column].form, true, text);
    assert_string_equal(text, expected);
}

static void expect_percent(const struct sheet *sheet, const char *row,
                           size_t column, double percent)
{
    char expected[16];

    snprintf(expected, sizeof(expected), "%.1f", percent);
    expect(sheet, row, column, expected);
}

/* ---- the paper ---- */

static void the_papers_tables_come_out(void **state)
{
    struct ledger ledger = LEDGER_INIT;
    struct report_sheets sheets;
    struct report report;

    (void)state;
    make_run(&ledger);
    for (size_t i = 0; i < ARRAY_LEN(vectors); i++)
        add_vector(&ledger, &vectors[i]);
    report_init(&report, &ledger);
    report_sheets(&report, &sheets);
    for (size_t i = 0; i < ARRAY_LEN(vectors); i++) {
        const struct vector *vector = &vectors[i];
        const struct sheet *success = find_sheet(&sheets, "success");
        const struct sheet *outcomes = find_sheet(&sheets, "outcomes");

        for (size_t k = 0; k < ARRAY_LEN(vector->shown); k++)
            expect_percent(success, vector->agent, k, vector->shown[k]);
        if (vector->shown_early > 0) {
            expect_percent(outcomes, vector->agent, OUTCOMES,
                           vector->shown_uncompleted);
            expect_percent(outcomes, vector->agent, OUTCOMES + 1,
                           vector->shown_early);
        }
    }
    /* 28 of 75, pooled: not the mean of 44.2 and 21.7, which is 33.0. */
    assert_int_equal(find_row(find_sheet(&sheets, "success"), "Gemini 2.5 Pro")
                         ->cells[2]
                         .part,
                     28);
    assert_int_equal(find_row(find_sheet(&sheets, "success"), "Gemini 2.5 Pro")
                         ->cells[2]
                         .all,
                     75);
    report_sheets_release(&sheets);
    report_release(&report);
    ledger_release(&ledger);
}

/* ---- what is in no rate ---- */

static void void_and_unscored_are_in_no_rate(void **state)
{
    struct ledger ledger = LEDGER_INIT;
    struct report_sheets sheets;
    struct ledger_entry *entry;
    struct report report;

    (void)state;
    make_run(&ledger);
    add(&ledger, "a", "one")->verdict.outcome = OUTCOME_SUCCESS;
    add(&ledger, "a", "two");
    entry = add(&ledger, "a", "three");
    entry->verdict.outcome = OUTCOME_VOID;
    entry->reason = mem_dup("device lost");
    entry = add(&ledger, "a", "four");
    entry->verdict.outcome = OUTCOME_UNSCORED;
    entry->judged = false;
    /* An earlier attempt is told of, and not counted. */
    entry = add(&ledger, "a", "one");
    entry->counts = false;
    entry->verdict.outcome = OUTCOME_VOID;
    entry->reason = mem_dup("device lost");
    report_init(&report, &ledger);
    report_sheets(&report, &sheets);
    assert_int_equal(tally_scored(&report.rows[0].tally), 2);
    assert_int_equal(tally_all(&report.rows[0].tally), 4);
    assert_int_equal(report.rows[0].tally.unjudged, 1);
    expect(find_sheet(&sheets, "success"), "a", 2, "50.0");
    expect(find_sheet(&sheets, "excluded"), "device lost", 0, "2");
    expect(find_sheet(&sheets, "excluded"), "nobody judged it yet", 0, "1");
    expect(find_sheet(&sheets, "task"), "three", 1, "-");
    report_sheets_release(&sheets);
    report_release(&report);
    ledger_release(&ledger);
}

static void phones_made_of_software_stand_apart(void **state)
{
    struct ledger ledger = LEDGER_INIT;
    struct buf headline = BUF_INIT(1000);
    struct report_sheets sheets;
    struct report report;

    (void)state;
    make_run(&ledger);
    add(&ledger, "gold", "one")->builtin = true;
    ledger.entries[0].verdict.outcome = OUTCOME_SUCCESS;
    add(&ledger, "gold", "one");
    report_init(&report, &ledger);
    report_sheets(&report, &sheets);
    assert_int_equal(report.row_count, 2);
    assert_false(report.rows[0].builtin);
    assert_int_equal(tally_scored(&report.rows[0].tally), 1);
    assert_int_equal(tally_scored(&report.rows[1].tally), 1);
    assert_string_equal(sheets.items[0].rows[0].label, "Real phones");
    assert_string_equal(sheets.items[0].rows[2].label, "Built-in phone");
    report_headline(&report, &headline);
    assert_string_equal(
        buf_cstr(&headline),
        "On real phones, gold succeeded in 0 of 1 episode (0.0 %). On the "
        "built-in phone, gold succeeded in 1 of 1 episode (100.0 %).");
    buf_release(&headline);
    report_sheets_release(&sheets);
    report_release(&report);
    ledger_release(&ledger);
}

static void runs_of_one_agent_stand_side_by_side(void **state)
{
    struct ledger ledger = LEDGER_INIT;
    struct report report;

    (void)state;
    make_run(&ledger);
    make_run(&ledger);
    free(ledger.runs[1].folder);
    ledger.runs[1].folder = mem_dup("runs/b/");
    add(&ledger, "gold", "one");
    add(&ledger, "gold", "one")->run = 1;
    report_init(&report, &ledger);
    assert_int_equal(report.row_count, 2);
    assert_string_equal(report.rows[0].label, "gold (a)");
    assert_string_equal(report.rows[1].label, "gold (b)");
    report_release(&report);
    ledger_release(&ledger);
}

static void pass_at_k_is_over_tasks(void **state)
{
    struct ledger ledger = LEDGER_INIT;
    struct report_sheets sheets;
    struct report report;
    struct report_pass pass;

    (void)state;
    make_run(&ledger);
    for (int i = 0; i < 5; i++) {
        add(&ledger, "a", "one")->verdict.outcome =
            i < 2 ? OUTCOME_SUCCESS : OUTCOME_FAILURE;
        add(&ledger, "a", "two")->verdict.outcome =
            i < 5 ? OUTCOME_SUCCESS : OUTCOME_FAILURE;
    }
    add(&ledger, "a", "three"); /* one try only */
    report_init(&report, &ledger);
    assert_int_equal(report.tries, 5);
    pass = report_pass(&report, 0, 1);
    assert_int_equal(pass.tasks, 3);
    assert_true(fabs(pass.rate - (0.4 + 1 + 0) / 3) < 1e-12);
    pass = report_pass(&report, 0, 3);
    assert_int_equal(pass.tasks, 2);
    assert_true(fabs(pass.rate - 0.95) < 1e-12);
    assert_true(pass.interval.low < 0.95 && pass.interval.high > 0.95);
    assert_true(isnan(report_pass(&report, 0, 6).rate));
    report_sheets(&report, &sheets);
    expect(find_sheet(&sheets, "pass"), "a", 4, "95.0"); /* k = 3 */
    report_sheets_release(&sheets);
    report_release(&report);
    ledger_release(&ledger);
}

static void effort_is_of_those_that_tell(void **state)
{
    struct ledger ledger = LEDGER_INIT;
    struct report_sheets sheets;
    struct ledger_entry *entry;
    const struct sheet *sheet;
    struct report report;

    (void)state;
    make_run(&ledger);
    entry = add(&ledger, "a", "one");
    entry->verdict.outcome = OUTCOME_SUCCESS;
    entry->verdict.gold_steps = 4;
    entry->steps = 6;
    entry->duration_ms = 90000;
    entry->input_tokens = 30000;
    entry->cost = 0.5;
    entry = add(&ledger, "a", "two");
    entry->steps = 15;
    entry->duration_ms = 60000;
    entry->verdict.failure.class_ = FAILURE_MISSED;
    report_init(&report, &ledger);
    report_sheets(&report, &sheets);
    sheet = find_sheet(&sheets, "effort");
    expect(sheet, "a", 0, "10.5");
    expect(sheet, "a", 1, "1.50");
    expect(sheet, "a", 2, "1:15");
    expect(sheet, "a", 3, "30.0k");
    /* Nobody told of key points, or of tokens that went out. */
    assert_int_equal(sheet->column_count, 6);
    expect(sheet, "a", 5, "0.5000");
    expect(find_sheet(&sheets, "failures"),
           "tapped nothing, or beside the target", 1, "1/1");
    report_sheets_release(&sheets);
    report_release(&report);
    ledger_release(&ledger);
}

static void nothing_is_nothing(void **state)
{
    struct ledger ledger = LEDGER_INIT;
    struct buf headline = BUF_INIT(1000);
    struct report_sheets sheets;
    struct report report;

    (void)state;
    make_run(&ledger);
    report_init(&report, &ledger);
    report_sheets(&report, &sheets);
    assert_int_equal(sheets.count, 0);
    report_headline(&report, &headline);
    assert_string_equal(buf_cstr(&headline), "No episode was finished.");
    buf_release(&headline);
    report_release(&report);
    ledger_release(&ledger);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_tables_come_out),
        cmocka_unit_test(void_and_unscored_are_in_no_rate),
        cmocka_unit_test(phones_made_of_software_stand_apart),
        cmocka_unit_test(runs_of_one_agent_stand_side_by_side),
        cmocka_unit_test(pass_at_k_is_over_tasks),
        cmocka_unit_test(effort_is_of_those_that_tell),
        cmocka_unit_test(nothing_is_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
