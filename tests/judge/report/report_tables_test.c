/* The paper's tables as test vectors, and episodes that are in no rate. */
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
#include "judge/report/report_tables.h"

/* What each test counts. */
static struct judged_runs judged;
static struct report report;
static struct report_tables sheets;

/* ---- lists of attempts ---- */

static struct judged_attempt *add(const char *agent, const char *task)
{
    struct judged_attempt *entry;

    judged.entries =
        mem_resize(judged.entries, judged.count + 1, sizeof(*judged.entries));
    entry = &judged.entries[judged.count++];
    *entry = (struct judged_attempt){.folder = mem_dup("episodes/x"),
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

static void make_run(const char *folder)
{
    judged.runs =
        mem_resize(judged.runs, judged.run_count + 1, sizeof(*judged.runs));
    judged.runs[judged.run_count++] =
        (struct judged_run){.folder = mem_dup(folder), .id = mem_dup("a")};
}

static int begin(void **state)
{
    (void)state;
    judged = (struct judged_runs)JUDGED_RUNS_INIT;
    make_run("runs/a");
    return 0;
}

/* All entries are added: make the tables. */
static void count(void)
{
    report_init(&report, &judged);
    report_tables(&report, &sheets);
}

static int end(void **state)
{
    (void)state;
    report_tables_release(&sheets);
    report_release(&report);
    judged_runs_release(&judged);
    return 0;
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

/* One agent of the paper, with its successes in each quarter. */
struct vector {
    const char *agent;
    size_t successes[4];
    size_t uncompleted; /* share of those that did not succeed */
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

static void add_vector(const struct vector *vector)
{
    size_t uncompleted = vector->uncompleted, early = vector->early;

    for (size_t q = 0; q < ARRAY_LEN(quarters); q++) {
        for (size_t i = 0; i < quarters[q].count; i++) {
            struct judged_attempt *entry;
            char task[32];

            snprintf(task, sizeof(task), "t%zu-%zu", q, i);
            entry = add(vector->agent, task);
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

static const struct report_table *find_sheet(const char *id)
{
    for (size_t i = 0; i < sheets.count; i++) {
        if (!strcmp(sheets.items[i].id, id))
            return &sheets.items[i];
    }
    fail_msg("there is no table %s", id);
    return NULL;
}

static const struct report_table_row *find_row(const struct report_table *sheet,
                                               const char *label)
{
    for (size_t i = 0; i < sheet->row_count; i++) {
        if (!strcmp(sheet->rows[i].label, label) && !sheet->rows[i].heading)
            return &sheet->rows[i];
    }
    fail_msg("there is no row %s", label);
    return NULL;
}

/* Check the text of a cell, given its table, row and column. */
struct cell {
    const char *sheet;
    const char *row;
    size_t column;
    const char *text;
};

static void expect(const struct cell *cells, size_t amount)
{
    for (size_t i = 0; i < amount; i++) {
        const struct cell *cell = &cells[i];
        const struct report_table *sheet = find_sheet(cell->sheet);
        char text[REPORT_TABLE_TEXT_MAX];

        assert_in_range(cell->column, 0, sheet->column_count - 1);
        report_table_text(&find_row(sheet, cell->row)->cells[cell->column],
                          sheet->columns[cell->column].form, true, text);
        if (strcmp(text, cell->text) != 0)
            fail_msg("%s, %s, %zu: %s instead of %s", cell->sheet, cell->row,
                     cell->column, text, cell->text);
    }
}

static void expect_percent(const char *sheet, const char *row, size_t column,
                           double percent)
{
    char text[16];

    snprintf(text, sizeof(text), "%.1f", percent);
    expect(&(struct cell){sheet, row, column, text}, 1);
}

static void expect_headline(const char *expected)
{
    struct buf headline = BUF_INIT(1000);

    report_headline(&report, &headline);
    assert_string_equal(buf_cstr(&headline), expected);
    buf_release(&headline);
}

/* ---- apps ---- */

static void tasks_of_several_apps_are_grouped_together(void **state)
{
    struct judged_attempt *entry;

    (void)state;
    entry = add("agent", "shop.cheapest");
    entry->app = mem_dup("org.proctor.shop");
    entry->verdict.outcome = OUTCOME_SUCCESS;
    entry = add("agent", "across.price");
    entry->app = mem_dup("org.proctor.shop");
    entry->several_apps = true;
    count();
    expect_percent("app", "org.proctor.shop", 0, 100);
    expect_percent("app", "several apps", 0, 0);
}

/* ---- the paper ---- */

static void tables_of_the_paper_are_reproduced(void **state)
{
    const struct report_table_cell *pooled;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(vectors); i++)
        add_vector(&vectors[i]);
    count();
    for (size_t i = 0; i < ARRAY_LEN(vectors); i++) {
        const struct vector *vector = &vectors[i];

        for (size_t k = 0; k < ARRAY_LEN(vector->shown); k++)
            expect_percent("success", vector->agent, k, vector->shown[k]);
        if (vector->shown_early > 0) {
            expect_percent("outcomes", vector->agent, OUTCOMES,
                           vector->shown_uncompleted);
            expect_percent("outcomes", vector->agent, OUTCOMES + 1,
                           vector->shown_early);
        }
    }
    /* 28 of 75, pooled: not the mean of 44.2 and 21.7, which is 33.0. */
    pooled = &find_row(find_sheet("success"), "Gemini 2.5 Pro")->cells[2];
    assert_int_equal(pooled->part, 28);
    assert_int_equal(pooled->all, 75);
}

/* ---- episodes in no rate ---- */

static void add_void(const char *task, bool counts)
{
    struct judged_attempt *entry = add("a", task);

    entry->verdict.outcome = OUTCOME_VOID;
    entry->reason = mem_dup("device lost");
    entry->counts = counts;
}

static void add_unscored(const char *task, const char *damage)
{
    struct judged_attempt *entry = add("a", task);

    entry->verdict.outcome = OUTCOME_UNSCORED;
    entry->judged = false;
    entry->damage = damage ? mem_dup(damage) : NULL;
}

static void void_and_unscored_are_in_no_rate(void **state)
{
    static const struct cell cells[] = {
        {"success", "a", 2, "50.0"},
        {"excluded", "device lost", 0, "2"},
        {"excluded", "not judged yet", 0, "1"},
        {"excluded", "its files could not be read", 0, "2"},
        {"task", "three", 1, "-"},
    };

    (void)state;
    add("a", "one")->verdict.outcome = OUTCOME_SUCCESS;
    add("a", "two");
    add_void("three", true);
    add_unscored("four", NULL);
    add_unscored("five", "five/task.json: is torn");
    add_unscored("six", "six/task.json: is torn");
    add_void("one", false); /* an earlier attempt is listed, not counted */
    count();
    assert_int_equal(tally_scored(&report.rows[0].tally), 2);
    assert_int_equal(tally_all(&report.rows[0].tally), 6);
    expect(cells, ARRAY_LEN(cells));
}

static void built_in_phones_have_a_separate_table(void **state)
{
    (void)state;
    add("gold", "one")->builtin = true;
    judged.entries[0].verdict.outcome = OUTCOME_SUCCESS;
    add("gold", "one");
    count();
    assert_int_equal(report.row_count, 2);
    assert_false(report.rows[0].builtin);
    assert_int_equal(tally_scored(&report.rows[0].tally), 1);
    assert_int_equal(tally_scored(&report.rows[1].tally), 1);
    assert_string_equal(sheets.items[0].rows[0].label, "Real phones");
    assert_string_equal(sheets.items[0].rows[2].label, "Built-in phone");
    expect_headline(
        "On real phones, gold succeeded in 0 of 1 episode (0.0 %). On the "
        "built-in phone, gold succeeded in 1 of 1 episode (100.0 %).");
}

static void runs_of_one_agent_are_compared(void **state)
{
    (void)state;
    make_run("runs/b/");
    add("gold", "one");
    add("gold", "one")->run = 1;
    count();
    assert_int_equal(report.row_count, 2);
    assert_string_equal(report.rows[0].label, "gold (a)");
    assert_string_equal(report.rows[1].label, "gold (b)");
}

static void pass_at_k_is_over_tasks(void **state)
{
    static const struct cell three = {"pass", "a", 4, "95.0"}; /* k = 3 */
    struct report_pass pass;

    (void)state;
    for (int i = 0; i < 5; i++) {
        add("a", "one")->verdict.outcome =
            i < 2 ? OUTCOME_SUCCESS : OUTCOME_FAILURE;
        add("a", "two")->verdict.outcome = OUTCOME_SUCCESS;
    }
    add("a", "three"); /* one attempt only */
    count();
    assert_int_equal(report.tries, 5);
    pass = report_pass(&report, 0, 1);
    assert_int_equal(pass.tasks, 3);
    assert_true(fabs(pass.rate - (0.4 + 1 + 0) / 3) < 1e-12);
    pass = report_pass(&report, 0, 3);
    assert_int_equal(pass.tasks, 2);
    assert_true(fabs(pass.rate - 0.95) < 1e-12);
    assert_true(pass.interval.low < 0.95 && pass.interval.high > 0.95);
    assert_true(isnan(report_pass(&report, 0, 6).rate));
    expect(&three, 1);
}

static void effort_counts_only_known_values(void **state)
{
    static const struct cell cells[] = {
        {"effort", "a", 0, "10.5"},
        {"effort", "a", 1, "1.50"},
        {"effort", "a", 2, "1:15"},
        {"effort", "a", 3, "30.0k"},
        {"effort", "a", 5, "0.5000"},
        {"failures", "tapped an empty place, or beside the target", 1, "1/1"},
    };
    struct judged_attempt *entry;

    (void)state;
    entry = add("a", "one");
    entry->verdict.outcome = OUTCOME_SUCCESS;
    entry->verdict.gold_steps = 4;
    entry->steps = 6;
    entry->duration_ms = 90000;
    entry->input_tokens = 30000;
    entry->cost = 0.5;
    entry = add("a", "two");
    entry->steps = 15;
    entry->duration_ms = 60000;
    entry->verdict.failure.class_ = FAILURE_MISSED;
    count();
    expect(cells, ARRAY_LEN(cells));
    /* No episode has key points or output tokens. */
    assert_int_equal(find_sheet("effort")->column_count, 6);
}

static void add_question(struct judged_attempt *entry, const char *say,
                         bool met)
{
    struct verdict *verdict = &entry->verdict;

    verdict->checklist =
        mem_resize(verdict->checklist, verdict->checklist_count + 1,
                   sizeof(*verdict->checklist));
    verdict->checklist[verdict->checklist_count++] =
        (struct verdict_need){.say = mem_dup(say), .known = true, .met = met};
    verdict->checklist_met += met;
}

static void questions_of_checklists_are_counted_apart(void **state)
{
    struct judged_attempt *entry = add("one", "a");

    (void)state;
    add_question(entry, "with a mask", true);
    add_question(entry, "on a copy", false);
    entry = add("one", "b");
    add_question(entry, "with a mask", true);
    add("one", "c");
    count();
    expect_percent("checklist", "all", 0, 66.7);
    expect_percent("checklist", "with a mask", 0, 100);
    expect_percent("checklist", "on a copy", 0, 0);
}

static void empty_run_has_empty_tables(void **state)
{
    (void)state;
    count();
    assert_int_equal(sheets.count, 0);
    expect_headline("No episode was finished.");
}

#define COUNTED(test_) cmocka_unit_test_setup_teardown(test_, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        COUNTED(tasks_of_several_apps_are_grouped_together),
        COUNTED(tables_of_the_paper_are_reproduced),
        COUNTED(void_and_unscored_are_in_no_rate),
        COUNTED(built_in_phones_have_a_separate_table),
        COUNTED(runs_of_one_agent_are_compared),
        COUNTED(pass_at_k_is_over_tasks),
        COUNTED(effort_counts_only_known_values),
        COUNTED(questions_of_checklists_are_counted_apart),
        COUNTED(empty_run_has_empty_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
