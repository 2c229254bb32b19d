#include "tools/cli/meter_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "tools/cli/table.h"

#define SHOWN_MAX 20 /* disagreements of one judge */

/* ---- cells ---- */

static void percent_cell(struct table *table, enum page_style style,
                         double part)
{
    char text[16] = "–";

    if (!isnan(part))
        snprintf(text, sizeof(text), "%.1f", 100 * part);
    table_cell(table, style, text);
}

static void interval_cell(struct table *table, const struct interval *interval)
{
    char text[32] = "–";

    if (!isnan(interval->low))
        snprintf(text, sizeof(text), "%.1f–%.1f", 100 * interval->low,
                 100 * interval->high);
    table_cell(table, PAGE_DIM, text);
}

static void kappa_cell(struct table *table, double kappa)
{
    char text[16] = "–";

    if (!isnan(kappa))
        snprintf(text, sizeof(text), "%.3f", kappa);
    table_cell(table, PAGE_PLAIN, text);
}

static void count_cell(struct table *table, size_t count)
{
    char text[24];

    snprintf(text, sizeof(text), "%zu", count);
    table_cell(table, PAGE_PLAIN, text);
}

static void headings(struct table *table, const char *const *names,
                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        table_cell(table, PAGE_BOLD, names[i]);
}

/* ---- the judges ---- */

static const char *words_of(const struct juror *juror)
{
    return juror->kind == JUROR_JUDGE ? process_source_name(juror->source)
                                      : "–";
}

static const char *checks_of(const struct juror *juror)
{
    return juror->checks == CHECKS_NONE ? "–"
                                        : juror_checks_name(juror->checks);
}

/* The class that is below the whole; NULL: all are alike. */
static const struct meter_row *worst_of(const struct meter_table *table)
{
    const struct meter_row *worst = &table->rows[table->worst];

    return worst->pair_accuracy < table->rows[0].pair_accuracy ? worst : NULL;
}

static void write_judges(struct page *page, const struct jury *jury,
                         const struct meter_table *tables)
{
    static const char *const names[] = {
        "judge",    "checks",    "words",  "pairs", "95 %",    "worst class",
        "accuracy", "precision", "recall", "κ",     "unscored"};
    struct table table;

    table_init(&table, ARRAY_LEN(names));
    headings(&table, names, ARRAY_LEN(names));
    for (size_t i = 0; i < jury->juror_count; i++) {
        const struct juror *juror = &jury->jurors[i];
        const struct meter_row *all = &tables[i].rows[0];
        const struct meter_row *worst = worst_of(&tables[i]);
        char text[64] = "–";

        table_cell(&table, PAGE_PLAIN, juror->name);
        table_cell(&table, PAGE_PLAIN, checks_of(juror));
        table_cell(&table, PAGE_PLAIN, words_of(juror));
        percent_cell(&table, PAGE_BOLD, all->pair_accuracy);
        interval_cell(&table, &all->interval);
        if (worst)
            snprintf(text, sizeof(text), "%s %.1f", worst->name,
                     100 * worst->pair_accuracy);
        table_cell(&table, PAGE_PLAIN, text);
        percent_cell(&table, PAGE_PLAIN, all->accuracy);
        percent_cell(&table, PAGE_PLAIN, all->precision);
        percent_cell(&table, PAGE_PLAIN, all->recall);
        kappa_cell(&table, all->kappa);
        count_cell(&table, all->unscored);
    }
    table_write(&table, page);
    table_release(&table);
}

/* ---- one judge, by class, kind and language ---- */

static void write_rows(struct page *page, const struct juror *juror,
                       const struct meter_table *rows)
{
    static const char *const names[] = {"",     "episodes", "pairs",   "right",
                                        "95 %", "accuracy", "unscored"};
    struct table table;

    page_printf(page, "\n%s, %s checks, by class, kind and language:\n",
                juror->name, checks_of(juror));
    table_init(&table, ARRAY_LEN(names));
    headings(&table, names, ARRAY_LEN(names));
    for (size_t i = 0; i < rows->count; i++) {
        const struct meter_row *row = &rows->rows[i];

        table_cell(&table, PAGE_PLAIN, row->name);
        count_cell(&table, row->episodes);
        count_cell(&table, row->pairs);
        percent_cell(&table, PAGE_BOLD, row->pair_accuracy);
        interval_cell(&table, &row->interval);
        percent_cell(&table, PAGE_PLAIN, row->accuracy);
        count_cell(&table, row->unscored);
    }
    table_write(&table, page);
    table_release(&table);
}

/* ---- where they differ ---- */

static void write_differences(struct page *page, const struct jury *jury,
                              size_t juror)
{
    const enum outcome *said = &jury->outcomes[juror * jury->count];
    size_t shown = 0;
    size_t all = 0;

    for (size_t i = 0; i < jury->count; i++) {
        const struct jury_case *case_ = &jury->cases[i];

        if (said[i] == OUTCOME_VOID ||
            meter_agrees(&jury->episodes[i], said[i]))
            continue;
        if (!all++)
            page_printf(page, "\n%s, %s checks, and the truth differ on:\n",
                        jury->jurors[juror].name,
                        checks_of(&jury->jurors[juror]));
        if (shown++ >= SHOWN_MAX)
            continue;
        page_printf(page, "  %s, but is %s", outcome_name(said[i]),
                    jury->episodes[i].right ? "right" : "wrong");
        if (!jury->episodes[i].right && case_->wrong_about) {
            page_text(page, PAGE_PLAIN, " (not ");
            page_foreign(page, PAGE_PLAIN, case_->wrong_about);
            page_text(page, PAGE_PLAIN, ")");
        }
        page_text(page, PAGE_PLAIN, ": ");
        page_foreign(page, PAGE_DIM, case_->folder);
        page_text(page, PAGE_PLAIN, "\n");
    }
    if (all > SHOWN_MAX)
        page_printf(page, "  and %zu more\n", all - SHOWN_MAX);
}

/* The truth counts; that somebody meant otherwise is said. */
static void write_surprises(struct page *page, const struct jury *jury)
{
    size_t shown = 0;

    for (size_t i = 0; i < jury->count; i++) {
        const struct jury_case *case_ = &jury->cases[i];

        if (!case_->surprising && !case_->partly)
            continue;
        if (!shown++)
            page_text(page, PAGE_YELLOW,
                      "\nNot what their author meant, by the truth:\n");
        page_printf(page, "  %s is %s", way_class_name(jury->episodes[i].way),
                    jury->episodes[i].right ? "right" : "wrong");
        if (case_->wrong_about) {
            page_text(page, PAGE_PLAIN, " (not ");
            page_foreign(page, PAGE_PLAIN, case_->wrong_about);
            page_text(page, PAGE_PLAIN,
                      case_->partly ? ", and not alone)" : ")");
        }
        page_text(page, PAGE_PLAIN, ": ");
        page_foreign(page, PAGE_DIM, case_->folder);
        page_text(page, PAGE_PLAIN, "\n");
    }
}

void meter_page_write(struct page *page, const struct jury *jury,
                      const struct meter_table *tables)
{
    const struct meter_row *all = &tables[0].rows[0];
    const struct meter_row *worst = worst_of(&tables[0]);

    page_printf(page,
                "%s tells a right way from its closest wrong one in %.1f %% of "
                "%zu pairs",
                jury->jurors[0].name, 100 * all->pair_accuracy, all->pairs);
    if (worst)
        page_printf(page, "; worst with %s (%.1f %%)", worst->name,
                    100 * worst->pair_accuracy);
    page_text(page, PAGE_PLAIN, ".\n");
    page_text(page, PAGE_DIM,
              "This measures judges, on the built-in phone, which knows what "
              "was done. It says nothing of agents, nor of other apps.\n\n");
    write_judges(page, jury, tables);
    write_rows(page, &jury->jurors[0], &tables[0]);
    for (size_t i = 0; i < jury->juror_count; i++) {
        if (jury->jurors[i].kind == JUROR_JUDGE &&
            jury->jurors[i].source == jury->jurors[0].source)
            write_differences(page, jury, i);
    }
    write_surprises(page, jury);
}

/* ---- for programs ---- */

static void add_row(struct cJSON *into, const struct juror *juror,
                    const struct meter_row *row)
{
    struct cJSON *object = json_add_object(into, NULL);

    json_add_string(object, "judge", juror->name);
    json_add_string(object, "checks", juror_checks_name(juror->checks));
    json_add_string(object, "converter",
                    juror->kind == JUROR_JUDGE
                        ? process_source_name(juror->source)
                        : "none");
    json_add_string(object, "group", row->group);
    json_add_string(object, "class", row->name);
    json_add_int(object, "n", (int64_t)row->episodes);
    json_add_int(object, "pairs", (int64_t)row->pairs);
    json_add_number(object, "pair_accuracy", row->pair_accuracy);
    json_add_number(object, "accuracy", row->accuracy);
    json_add_number(object, "precision", row->precision);
    json_add_number(object, "recall", row->recall);
    json_add_number(object, "kappa", row->kappa);
    json_add_number(object, "low", row->interval.low);
    json_add_number(object, "high", row->interval.high);
    json_add_int(object, "unscored", (int64_t)row->unscored);
}

struct cJSON *meter_page_json(const struct jury *jury,
                              const struct meter_table *tables)
{
    struct cJSON *array = json_new_array();

    for (size_t i = 0; i < jury->juror_count; i++) {
        for (size_t row = 0; row < tables[i].count; row++)
            add_row(array, &jury->jurors[i], &tables[i].rows[row]);
    }
    return array;
}
