#include "judge/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const char *const facet_names[REPORT_FACETS] = {
    [REPORT_KIND] = "kind",         [REPORT_LANGUAGE] = "language",
    [REPORT_CATEGORY] = "category", [REPORT_APP] = "app",
    [REPORT_LEVEL] = "level",       [REPORT_DIFFICULTY] = "difficulty",
    [REPORT_WORDING] = "wording",   [REPORT_TASK] = "task",
};

const char *report_facet_name(enum report_facet facet)
{
    return facet_names[facet];
}

/* ---- what an entry is, in words ---- */

static const char *language(const char *locale)
{
    if (!locale || !*locale)
        return "not said";
    if (!strncmp(locale, "en", 2))
        return "English";
    if (!strncmp(locale, "zh", 2))
        return "Chinese";
    return locale;
}

static const char *level(int number)
{
    static const char *const names[] = {"not said", "L1", "L2",
                                        "L3",       "L4", "L5"};

    return number > 0 && number < (int)ARRAY_LEN(names) ? names[number]
                                                        : names[0];
}

static const char *or_unsaid(const char *text)
{
    return text && *text ? text : "not said";
}

static const char *facet_value(const struct judged_attempt *entry,
                               enum report_facet facet)
{
    switch (facet) {
    case REPORT_KIND:
        return task_kind_name(entry->kind);
    case REPORT_LANGUAGE:
        return language(entry->locale);
    case REPORT_CATEGORY:
        return or_unsaid(entry->category);
    case REPORT_APP:
        return entry->several_apps ? "several apps" : or_unsaid(entry->app);
    case REPORT_LEVEL:
        return level(entry->level);
    case REPORT_DIFFICULTY:
        return task_difficulty_name(entry->difficulty);
    case REPORT_WORDING:
        return entry->wording ? entry->wording : "original";
    case REPORT_TASK:
        return entry->original ? entry->original : entry->task;
    case REPORT_FACETS:
        break;
    }
    return "";
}

/*
 * Order of values: that of the enumeration, or alphabetical; a missing value
 * comes last.
 */
static int facet_rank(enum report_facet facet, const char *value)
{
    static const char *const order[REPORT_FACETS][3] = {
        [REPORT_KIND] = {"state", "process"},
        [REPORT_LANGUAGE] = {"English", "Chinese"},
        [REPORT_DIFFICULTY] = {"easy", "medium", "hard"},
        [REPORT_WORDING] = {"original"},
    };

    for (int i = 0; i < 3 && order[facet][i]; i++) {
        if (!strcmp(order[facet][i], value))
            return i;
    }
    return strcmp(value, "not said") != 0 ? 3 : 4;
}

struct facet_value {
    const char *text;
    enum report_facet facet;
    size_t entry;
};

static int compare_values(const void *a, const void *b)
{
    const struct facet_value *x = a, *y = b;
    int difference =
        facet_rank(x->facet, x->text) - facet_rank(y->facet, y->text);

    if (!difference)
        difference = strcmp(x->text, y->text);
    return difference ? difference
                      : (x->entry > y->entry) - (x->entry < y->entry);
}

/* Sort the values and give equal ones the same number. */
static void number_values(struct report *report, enum report_facet facet)
{
    const struct judged_runs *judged = report->judged;
    struct report_texts *texts = &report->values[facet];
    struct facet_value *values = mem_new(judged->count + 1, sizeof(*values));

    texts->items = mem_new(judged->count + 1, sizeof(*texts->items));
    for (size_t i = 0; i < judged->count; i++)
        values[i] = (struct facet_value){
            facet_value(&judged->entries[i], facet), facet, i};
    qsort(values, judged->count, sizeof(*values), compare_values);
    for (size_t i = 0; i < judged->count; i++) {
        if (!i || strcmp(values[i].text, values[i - 1].text) != 0)
            texts->items[texts->count++] = values[i].text;
        report->keys[values[i].entry * REPORT_FACETS + facet] =
            texts->count - 1;
    }
    free(values);
}

/* ---- rows ---- */

static size_t find_row(struct report *report,
                       const struct judged_attempt *entry)
{
    struct report_row *row;

    for (size_t i = 0; i < report->row_count; i++) {
        row = &report->rows[i];
        if (row->run == entry->run && row->builtin == entry->builtin &&
            !strcmp(row->agent, entry->agent))
            return i;
    }
    report->rows =
        mem_resize(report->rows, report->row_count + 1, sizeof(*report->rows));
    row = &report->rows[report->row_count];
    *row = (struct report_row){
        .run = entry->run, .builtin = entry->builtin, .agent = entry->agent};
    return report->row_count++;
}

static int compare_rows(const void *a, const void *b)
{
    const struct report_row *x = a, *y = b;

    if (x->builtin != y->builtin)
        return x->builtin - y->builtin;
    if (x->run != y->run)
        return (x->run > y->run) - (x->run < y->run);
    return strcmp(x->agent, y->agent);
}

static bool shares_agent(const struct report *report, size_t which)
{
    for (size_t i = 0; i < report->row_count; i++) {
        if (i != which &&
            report->rows[i].builtin == report->rows[which].builtin &&
            !strcmp(report->rows[i].agent, report->rows[which].agent))
            return true;
    }
    return false;
}

/* The last part of the folder's path. */
static char *run_name(const struct judged_run *run)
{
    size_t end = strlen(run->folder), begin;

    while (end > 1 && run->folder[end - 1] == '/')
        end--;
    for (begin = end; begin > 0 && run->folder[begin - 1] != '/';)
        begin--;
    return mem_dup_n(run->folder + begin, end - begin);
}

/* The agent's name, with the run's where the agent's is not unique. */
static void label_rows(struct report *report)
{
    for (size_t i = 0; i < report->row_count; i++) {
        struct report_row *row = &report->rows[i];
        const struct judged_run *run = &report->judged->runs[row->run];
        struct buf label = BUF_INIT(SIZE_MAX);
        char *name = run_name(run);

        buf_text(&label, row->agent);
        if (shares_agent(report, i))
            buf_printf(&label, " (%s)", name);
        free(name);
        row->label = mem_dup(buf_cstr(&label));
        buf_release(&label);
    }
}

static void make_rows(struct report *report)
{
    const struct judged_runs *judged = report->judged;

    for (size_t i = 0; i < judged->count; i++)
        (void)find_row(report, &judged->entries[i]);
    if (report->row_count)
        qsort(report->rows, report->row_count, sizeof(*report->rows),
              compare_rows);
    for (size_t i = 0; i < judged->count; i++)
        report->entry_row[i] = find_row(report, &judged->entries[i]);
    label_rows(report);
}

static bool is_scored(const struct judged_attempt *entry)
{
    return entry->counts && entry->verdict.outcome != OUTCOME_VOID &&
           entry->verdict.outcome != OUTCOME_UNSCORED;
}

/* The scored tries of each task in a row. */
static void count_tries(const struct report *report, size_t row,
                        struct cluster *tasks)
{
    for (size_t i = 0; i < report->judged->count; i++) {
        const struct judged_attempt *entry = &report->judged->entries[i];
        struct cluster *task =
            &tasks[report->keys[i * REPORT_FACETS + REPORT_TASK]];

        if (report->entry_row[i] != row || !is_scored(entry))
            continue;
        task->count++;
        task->sum += entry->verdict.outcome == OUTCOME_SUCCESS;
    }
}

static void count_rows(struct report *report)
{
    size_t task_count = report->values[REPORT_TASK].count;

    for (size_t i = 0; i < report->row_count; i++) {
        struct report_row *row = &report->rows[i];
        struct report_slice slice = report_slice(i);
        struct cluster *tasks = mem_new(task_count + 1, sizeof(*tasks));

        report_count(report, &slice, &row->tally, &row->success);
        count_tries(report, i, tasks);
        for (size_t k = 0; k < task_count; k++) {
            if (tasks[k].count > (double)report->tries)
                report->tries = (size_t)tasks[k].count;
        }
        free(tasks);
    }
}

void report_init(struct report *report, const struct judged_runs *judged)
{
    *report = (struct report){.judged = judged};
    report->keys =
        mem_new(judged->count * REPORT_FACETS + 1, sizeof(*report->keys));
    report->entry_row = mem_new(judged->count + 1, sizeof(size_t));
    for (size_t i = 0; i < REPORT_FACETS; i++)
        number_values(report, (enum report_facet)i);
    make_rows(report);
    count_rows(report);
}

void report_release(struct report *report)
{
    for (size_t i = 0; i < report->row_count; i++)
        free(report->rows[i].label);
    for (size_t i = 0; i < REPORT_FACETS; i++)
        free(report->values[i].items);
    free(report->rows);
    free(report->keys);
    free(report->entry_row);
    *report = (struct report){.judged = NULL};
}

/* ---- figures ---- */

struct report_slice report_slice(size_t row)
{
    struct report_slice slice = {.row = row};

    for (size_t i = 0; i < REPORT_FACETS; i++)
        slice.want[i] = REPORT_ANY;
    return slice;
}

static bool is_in(const struct report *report, const struct report_slice *slice,
                  size_t entry)
{
    const size_t *keys = &report->keys[entry * REPORT_FACETS];

    if (!report->judged->entries[entry].counts ||
        (slice->row != REPORT_ANY && report->entry_row[entry] != slice->row))
        return false;
    for (size_t i = 0; i < REPORT_FACETS; i++) {
        if (slice->want[i] != REPORT_ANY && slice->want[i] != keys[i])
            return false;
    }
    return true;
}

/* Move the groups with members to the front; returns how many there are. */
static size_t drop_empty(struct cluster *clusters, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (clusters[i].count > 0)
            clusters[kept++] = clusters[i];
    }
    return kept;
}

void report_count(const struct report *report, const struct report_slice *slice,
                  struct tally *tally, struct interval *success)
{
    size_t count = report->values[REPORT_TASK].count;
    struct cluster *tasks = mem_new(count + 1, sizeof(*tasks));

    *tally = (struct tally){.needs = 0};
    for (size_t i = 0; i < report->judged->count; i++) {
        const struct judged_attempt *entry = &report->judged->entries[i];
        struct cluster *task =
            &tasks[report->keys[i * REPORT_FACETS + REPORT_TASK]];

        if (!is_in(report, slice, i))
            continue;
        tally_add(tally, entry);
        if (is_scored(entry)) {
            task->count++;
            task->sum += entry->verdict.outcome == OUTCOME_SUCCESS;
        }
    }
    *success = statistics_clustered(tasks, drop_empty(tasks, count));
    free(tasks);
}

/* ---- checklists ---- */

static void add_once(struct report_texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (!strcmp(texts->items[i], text))
            return;
    }
    texts->items =
        mem_resize(texts->items, texts->count + 1, sizeof(*texts->items));
    texts->items[texts->count++] = text;
}

struct report_texts report_questions(const struct report *report)
{
    struct report_texts texts = {.items = NULL};

    for (size_t i = 0; i < report->judged->count; i++) {
        const struct judged_attempt *entry = &report->judged->entries[i];

        if (!is_scored(entry))
            continue;
        for (size_t k = 0; k < entry->verdict.checklist_count; k++) {
            if (entry->verdict.checklist[k].say)
                add_once(&texts, entry->verdict.checklist[k].say);
        }
    }
    return texts;
}

void report_question(const struct report *report, size_t row,
                     const char *question, size_t *met, size_t *asked)
{
    const struct report_slice slice = report_slice(row);

    *met = *asked = 0;
    for (size_t i = 0; i < report->judged->count; i++) {
        const struct judged_attempt *entry = &report->judged->entries[i];

        if (!is_scored(entry) || !is_in(report, &slice, i))
            continue;
        for (size_t k = 0; k < entry->verdict.checklist_count; k++) {
            const struct verdict_need *need = &entry->verdict.checklist[k];

            if (!need->say || strcmp(need->say, question) != 0)
                continue;
            *met += need->met;
            ++*asked;
        }
    }
}

/* ---- tries ---- */

struct report_pass report_pass(const struct report *report, size_t row,
                               size_t k)
{
    size_t count = report->values[REPORT_TASK].count;
    struct cluster *tasks = mem_new(count + 1, sizeof(*tasks));
    struct report_pass pass = {.tasks = 0};
    double tries = 0;

    count_tries(report, row, tasks);
    for (size_t i = 0; i < count; i++) {
        if (tasks[i].count < (double)k)
            tasks[i].count = 0;
        tries += tasks[i].count;
    }
    pass.tasks = drop_empty(tasks, count);
    /* Every task has the same weight; the sum is that of all tries. */
    for (size_t i = 0; i < pass.tasks; i++) {
        double weight = tries / (double)pass.tasks;
        double rate =
            statistics_pass_at((size_t)tasks[i].count, (size_t)tasks[i].sum, k);

        tasks[i] = (struct cluster){rate * weight, weight};
    }
    pass.rate = statistics_mean(tasks, pass.tasks);
    pass.interval = statistics_clustered(tasks, pass.tasks);
    free(tasks);
    return pass;
}

bool report_has(const struct report *report, bool builtin)
{
    for (size_t i = 0; i < report->row_count; i++) {
        if (report->rows[i].builtin == builtin)
            return true;
    }
    return false;
}
