#include "tools/cli/judge/zoo_page.h"

#include <math.h>
#include <stdio.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "tools/cli/judge/figure_cells.h"

/* ---- text ---- */

static void number_cell(struct text_table *table, int places, double number)
{
    char text[16] = "–";

    if (!isnan(number))
        snprintf(text, sizeof(text), "%.*f", places, number);
    text_table_cell(table, TEXT_STYLE_PLAIN, text);
}

static void write_policies(struct text_page *page,
                           const struct zoo_table *table)
{
    static const char *const names[] = {"policy",  "success", "95 %",  "state",
                                        "process", "clauses", "steps", ""};
    struct text_table rows;

    text_table_init(&rows, ARRAY_LEN(names));
    figure_headings(&rows, names, ARRAY_LEN(names));
    for (size_t i = 0; i < zoo_policy_count; i++) {
        const struct zoo_policy_row *row = &table->policies[i];

        text_table_cell(&rows, TEXT_STYLE_PLAIN, row->policy->name);
        figure_percent_cell(&rows, TEXT_STYLE_BOLD, row->success);
        figure_interval_cell(&rows, &row->interval);
        figure_percent_cell(&rows, TEXT_STYLE_PLAIN, row->state);
        figure_percent_cell(&rows, TEXT_STYLE_PLAIN, row->process);
        figure_percent_cell(&rows, TEXT_STYLE_PLAIN, row->clauses_met);
        number_cell(&rows, 1, row->steps);
        text_table_cell(&rows, TEXT_STYLE_DIM, row->policy->about);
    }
    text_table_write(&rows, page);
    text_table_release(&rows);
}

static void write_tasks(struct text_page *page, const struct zoo_table *table)
{
    static const char *const names[] = {"task", "discrimination", "success",
                                        ""};
    struct text_table rows;

    text_page_add(page, TEXT_STYLE_PLAIN,
                  "\nTasks, those that tell least apart first:\n");
    text_table_init(&rows, ARRAY_LEN(names));
    figure_headings(&rows, names, ARRAY_LEN(names));
    for (size_t i = 0; i < table->task_count; i++) {
        const struct zoo_task_row *row = &table->tasks[i];

        text_table_cell(&rows, row->poor ? TEXT_STYLE_RED : TEXT_STYLE_PLAIN,
                        row->task->id);
        number_cell(&rows, 2, row->discrimination);
        figure_percent_cell(&rows, TEXT_STYLE_PLAIN, row->success);
        text_table_cell(&rows, TEXT_STYLE_PLAIN,
                        row->poor ? "tells nothing apart" : "");
    }
    text_table_write(&rows, page);
    text_table_release(&rows);
}

static size_t count_poor(const struct zoo_table *table)
{
    size_t count = 0;

    for (size_t i = 0; i < table->task_count; i++)
        count += table->tasks[i].poor;
    return count;
}

void zoo_page_write(struct text_page *page, const struct zoo_table *table)
{
    size_t poor = count_poor(table);

    write_policies(page, table);
    write_tasks(page, table);
    text_page_printf(page,
                     "\n%zu of %zu tasks tell%s nothing apart (discrimination "
                     "below %.1f).\n",
                     poor, table->task_count, poor == 1 ? "s" : "",
                     ZOO_DISCRIMINATION_MIN);
}

/* ---- JSON ---- */

/* NAN is null. */
static void add_figure(struct cJSON *object, const char *name, double figure)
{
    if (isnan(figure))
        json_add_null(object, name);
    else
        json_add_number(object, name, figure);
}

static void add_policy(struct cJSON *policies, const struct zoo_policy_row *row)
{
    struct cJSON *object = json_add_object(policies, NULL);

    json_add_string(object, "policy", row->policy->name);
    json_add_int(object, "episodes", (int64_t)row->episodes);
    add_figure(object, "success", row->success);
    add_figure(object, "low", row->interval.low);
    add_figure(object, "high", row->interval.high);
    add_figure(object, "state", row->state);
    add_figure(object, "process", row->process);
    add_figure(object, "clauses_met", row->clauses_met);
    add_figure(object, "steps", row->steps);
}

struct cJSON *zoo_page_json(const struct zoo_table *table)
{
    struct cJSON *object = json_new_object();
    struct cJSON *policies = json_add_array(object, "policies");
    struct cJSON *tasks = json_add_array(object, "tasks");

    for (size_t i = 0; i < zoo_policy_count; i++)
        add_policy(policies, &table->policies[i]);
    for (size_t i = 0; i < table->task_count; i++) {
        const struct zoo_task_row *row = &table->tasks[i];
        struct cJSON *task = json_add_object(tasks, NULL);

        json_add_string(task, "task", row->task->id);
        add_figure(task, "success", row->success);
        add_figure(task, "discrimination", row->discrimination);
        json_add_bool(task, "poor", row->poor);
    }
    return object;
}
