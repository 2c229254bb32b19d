#include "tools/cli/judge/meter_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "tools/cli/judge/figure_cells.h"

#define SHOWN_MAX 20 /* disagreements of one judge */

static void kappa_cell(struct text_table *table, double kappa)
{
    char text[16] = "–";

    if (!isnan(kappa))
        snprintf(text, sizeof(text), "%.3f", kappa);
    text_table_cell(table, TEXT_STYLE_PLAIN, text);
}

/* ---- the judges ---- */

static const char *words_of(const struct judge_entry *judge_entry)
{
    return judge_entry->kind == JUDGE_ENTRY_JUDGE
               ? process_source_name(judge_entry->source)
               : "–";
}

static const char *checks_of(const struct judge_entry *judge_entry)
{
    return judge_entry->checks == JUDGE_CHECKS_NONE
               ? "–"
               : judge_entry_checks_name(judge_entry->checks);
}

/* The class that is below the whole; NULL: all are alike. */
static const struct meter_row *worst_of(const struct meter_table *table)
{
    const struct meter_row *worst = &table->rows[table->worst];

    return worst->pair_accuracy < table->rows[0].pair_accuracy ? worst : NULL;
}

static void write_judges(struct text_page *page,
                         const struct judge_set *judge_set,
                         const struct meter_table *tables)
{
    static const char *const names[] = {
        "judge",    "checks",    "words",  "pairs", "95 %",    "worst class",
        "accuracy", "precision", "recall", "κ",     "unscored"};
    struct text_table table;

    text_table_init(&table, ARRAY_LEN(names));
    figure_headings(&table, names, ARRAY_LEN(names));
    for (size_t i = 0; i < judge_set->judge_entry_count; i++) {
        const struct judge_entry *judge_entry = &judge_set->judge_entries[i];
        const struct meter_row *all = &tables[i].rows[0];
        const struct meter_row *worst = worst_of(&tables[i]);
        char text[64] = "–";

        text_table_cell(&table, TEXT_STYLE_PLAIN, judge_entry->name);
        text_table_cell(&table, TEXT_STYLE_PLAIN, checks_of(judge_entry));
        text_table_cell(&table, TEXT_STYLE_PLAIN, words_of(judge_entry));
        figure_percent_cell(&table, TEXT_STYLE_BOLD, all->pair_accuracy);
        figure_interval_cell(&table, &all->interval);
        if (worst)
            snprintf(text, sizeof(text), "%s %.1f", worst->name,
                     100 * worst->pair_accuracy);
        text_table_cell(&table, TEXT_STYLE_PLAIN, text);
        figure_percent_cell(&table, TEXT_STYLE_PLAIN, all->accuracy);
        figure_percent_cell(&table, TEXT_STYLE_PLAIN, all->precision);
        figure_percent_cell(&table, TEXT_STYLE_PLAIN, all->recall);
        kappa_cell(&table, all->kappa);
        figure_count_cell(&table, all->unscored);
    }
    text_table_write(&table, page);
    text_table_release(&table);
}

/* ---- one judge, by class, kind and language ---- */

static void write_rows(struct text_page *page,
                       const struct judge_entry *judge_entry,
                       const struct meter_table *rows)
{
    static const char *const names[] = {"",     "episodes", "pairs",   "right",
                                        "95 %", "accuracy", "unscored"};
    struct text_table table;

    text_page_printf(page, "\n%s, %s checks, by class, kind and language:\n",
                     judge_entry->name, checks_of(judge_entry));
    text_table_init(&table, ARRAY_LEN(names));
    figure_headings(&table, names, ARRAY_LEN(names));
    for (size_t i = 0; i < rows->count; i++) {
        const struct meter_row *row = &rows->rows[i];

        text_table_cell(&table, TEXT_STYLE_PLAIN, row->name);
        figure_count_cell(&table, row->episodes);
        figure_count_cell(&table, row->pairs);
        figure_percent_cell(&table, TEXT_STYLE_BOLD, row->pair_accuracy);
        figure_interval_cell(&table, &row->interval);
        figure_percent_cell(&table, TEXT_STYLE_PLAIN, row->accuracy);
        figure_count_cell(&table, row->unscored);
    }
    text_table_write(&table, page);
    text_table_release(&table);
}

/* ---- where they differ ---- */

static void write_differences(struct text_page *page,
                              const struct judge_set *judge_set,
                              size_t judge_entry)
{
    const enum outcome *said =
        &judge_set->outcomes[judge_entry * judge_set->count];
    size_t shown = 0;
    size_t all = 0;

    for (size_t i = 0; i < judge_set->count; i++) {
        const struct case_facts *case_ = &judge_set->facts[i];

        if (said[i] == OUTCOME_VOID ||
            meter_agrees(&judge_set->episodes[i], said[i]))
            continue;
        if (!all++)
            text_page_printf(page,
                             "\n%s, %s checks, and the truth differ on:\n",
                             judge_set->judge_entries[judge_entry].name,
                             checks_of(&judge_set->judge_entries[judge_entry]));
        if (shown++ >= SHOWN_MAX)
            continue;
        text_page_printf(page, "  %s, but is %s", outcome_name(said[i]),
                         judge_set->episodes[i].right ? "right" : "wrong");
        if (!judge_set->episodes[i].right && case_->wrong_about) {
            text_page_add(page, TEXT_STYLE_PLAIN, " (not ");
            text_page_untrusted(page, TEXT_STYLE_PLAIN, case_->wrong_about);
            text_page_add(page, TEXT_STYLE_PLAIN, ")");
        }
        text_page_add(page, TEXT_STYLE_PLAIN, ": ");
        text_page_untrusted(page, TEXT_STYLE_DIM, case_->folder);
        text_page_add(page, TEXT_STYLE_PLAIN, "\n");
    }
    if (all > SHOWN_MAX)
        text_page_printf(page, "  and %zu more\n", all - SHOWN_MAX);
}

/* The ground truth counts; where its author intended otherwise, say so. */
static void write_surprises(struct text_page *page,
                            const struct judge_set *judge_set)
{
    size_t shown = 0;

    for (size_t i = 0; i < judge_set->count; i++) {
        const struct case_facts *case_ = &judge_set->facts[i];

        if (!case_->surprising && !case_->partly)
            continue;
        if (!shown++)
            text_page_add(
                page, TEXT_STYLE_YELLOW,
                "\nThe ground truth differs from what the author intended:\n");
        text_page_printf(page, "  %s is %s",
                         task_way_class_name(judge_set->episodes[i].way),
                         judge_set->episodes[i].right ? "right" : "wrong");
        if (case_->wrong_about) {
            text_page_add(page, TEXT_STYLE_PLAIN, " (not ");
            text_page_untrusted(page, TEXT_STYLE_PLAIN, case_->wrong_about);
            text_page_add(page, TEXT_STYLE_PLAIN,
                          case_->partly ? ", and not alone)" : ")");
        }
        text_page_add(page, TEXT_STYLE_PLAIN, ": ");
        text_page_untrusted(page, TEXT_STYLE_DIM, case_->folder);
        text_page_add(page, TEXT_STYLE_PLAIN, "\n");
    }
}

void meter_page_write(struct text_page *page, const struct judge_set *judge_set,
                      const struct meter_table *tables)
{
    const struct meter_row *all = &tables[0].rows[0];
    const struct meter_row *worst = worst_of(&tables[0]);

    text_page_printf(
        page,
        "%s tells a right way from its closest wrong one in %.1f %% of "
        "%zu pairs",
        judge_set->judge_entries[0].name, 100 * all->pair_accuracy, all->pairs);
    if (worst)
        text_page_printf(page, "; worst with %s (%.1f %%)", worst->name,
                         100 * worst->pair_accuracy);
    text_page_add(page, TEXT_STYLE_PLAIN, ".\n");
    text_page_add(
        page, TEXT_STYLE_DIM,
        "This measures judges on the built-in phone, which knows the ground "
        "truth. It does not measure agents, or other apps.\n\n");
    write_judges(page, judge_set, tables);
    write_rows(page, &judge_set->judge_entries[0], &tables[0]);
    for (size_t i = 0; i < judge_set->judge_entry_count; i++) {
        if (judge_set->judge_entries[i].kind == JUDGE_ENTRY_JUDGE &&
            judge_set->judge_entries[i].source ==
                judge_set->judge_entries[0].source)
            write_differences(page, judge_set, i);
    }
    write_surprises(page, judge_set);
}

/* ---- for programs ---- */

static void add_row(struct cJSON *into, const struct judge_entry *judge_entry,
                    const struct meter_row *row)
{
    struct cJSON *object = json_add_object(into, NULL);

    json_add_string(object, "judge", judge_entry->name);
    json_add_string(object, "checks",
                    judge_entry_checks_name(judge_entry->checks));
    json_add_string(object, "converter",
                    judge_entry->kind == JUDGE_ENTRY_JUDGE
                        ? process_source_name(judge_entry->source)
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

struct cJSON *meter_page_json(const struct judge_set *judge_set,
                              const struct meter_table *tables)
{
    struct cJSON *array = json_new_array();

    for (size_t i = 0; i < judge_set->judge_entry_count; i++) {
        for (size_t row = 0; row < tables[i].count; row++)
            add_row(array, &judge_set->judge_entries[i], &tables[i].rows[row]);
    }
    return array;
}
