/* proctor diff: what changed from one run to another. */
#include <math.h>
#include <string.h>

#include "base/json_write.h"
#include "judge/report/run_compare.h"
#include "judge/statistics/statistics.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/judge/report_text.h"
#include "tools/cli/terminal/text_page.h"
#include "tools/cli/terminal/text_table.h"

struct diff_args {
    const char *judge;
};

/* What became of a pair. */
enum outcome_change {
    CHANGE_GAINED,
    CHANGE_LOST,
    CHANGE_OTHER, /* another way of not succeeding */
    CHANGE_NONE,
};

static enum outcome_change change_of(const struct run_compare_pair *pair)
{
    enum outcome before = pair->before->verdict.outcome;
    enum outcome after = pair->after->verdict.outcome;

    if (before == after)
        return CHANGE_NONE;
    if (after == OUTCOME_SUCCESS)
        return CHANGE_GAINED;
    return before == OUTCOME_SUCCESS ? CHANGE_LOST : CHANGE_OTHER;
}

/* ---- for people ---- */

static void add_pair(struct text_table *table,
                     const struct run_compare_pair *pair, enum text_style style)
{
    char text[64];

    text_table_cell(table, TEXT_STYLE_PLAIN, "");
    text_table_cell(table, style, pair->after->task);
    snprintf(text, sizeof(text), "repeat %d", pair->after->repeat + 1);
    text_table_cell(table, TEXT_STYLE_DIM, text);
    snprintf(text, sizeof(text), "%s, then %s",
             outcome_name(pair->before->verdict.outcome),
             outcome_name(pair->after->verdict.outcome));
    text_table_cell(table, TEXT_STYLE_PLAIN, text);
    snprintf(text, sizeof(text), "%d, then %d steps", pair->before->steps,
             pair->after->steps);
    text_table_cell(table, TEXT_STYLE_DIM, text);
}

static void list(struct text_page *page, const struct run_compare *compare,
                 enum outcome_change wanted, const char *title,
                 enum text_style style)
{
    struct text_table table;

    text_table_init(&table, 5);
    for (size_t i = 0; i < compare->count; i++) {
        if (change_of(&compare->pairs[i]) == wanted)
            add_pair(&table, &compare->pairs[i], style);
    }
    if (table.count) {
        text_page_add(page, TEXT_STYLE_PLAIN, "\n");
        text_page_add(page, TEXT_STYLE_BOLD, title);
        text_page_add(page, TEXT_STYLE_PLAIN, "\n");
        text_table_write(&table, page);
    }
    text_table_release(&table);
}

static void say_run(struct text_page *page, const struct judged_run *run,
                    size_t successes, size_t count)
{
    struct interval interval = statistics_wilson(successes, count);

    text_page_untrusted(page, TEXT_STYLE_PLAIN, run->folder);
    text_page_add(page, TEXT_STYLE_PLAIN, ", ");
    text_page_untrusted(page, TEXT_STYLE_PLAIN,
                        run->agent ? run->agent : "unknown");
    text_page_printf(page, ": %zu of %zu (%.1f %%", successes, count,
                     100 * statistics_rate(successes, count));
    text_page_printf(page, ", 95 %%: %.1f to %.1f)\n", 100 * interval.low,
                     100 * interval.high);
}

static bool print_text(struct cli_context *cli,
                       const struct judged_runs *judged,
                       const struct run_compare *compare, struct err *err)
{
    struct text_page page;
    bool done;

    text_page_init(&page, cli->out.fd);
    if (!compare->count) {
        text_page_add(&page, TEXT_STYLE_PLAIN,
                      "No task was scored in both runs.\n");
    } else {
        say_run(&page, &judged->runs[0], compare->before, compare->count);
        say_run(&page, &judged->runs[1], compare->after, compare->count);
        text_page_printf(&page,
                         "%zu gained, %zu lost: p = %.3g (McNemar, exact)\n",
                         compare->gained, compare->lost, compare->p);
    }
    list(&page, compare, CHANGE_GAINED, "Gained", TEXT_STYLE_GREEN);
    list(&page, compare, CHANGE_LOST, "Lost", TEXT_STYLE_RED);
    list(&page, compare, CHANGE_OTHER, "Failed otherwise", TEXT_STYLE_PLAIN);
    if (compare->unpaired)
        text_page_printf(&page, "\n%zu episode%s no scored counterpart.\n",
                         compare->unpaired,
                         compare->unpaired == 1 ? " has" : "s have");
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

/* ---- for programs ---- */

static void add_entry(struct cJSON *into, const char *key,
                      const struct judged_attempt *entry)
{
    struct cJSON *object = json_add_object(into, key);

    json_add_string(object, "outcome", outcome_name(entry->verdict.outcome));
    json_add_int(object, "steps", entry->steps);
    json_add_string(object, "episode", entry->folder);
}

static bool print_json(struct cli_context *cli,
                       const struct judged_runs *judged,
                       const struct run_compare *compare, struct err *err)
{
    struct cJSON *tree = json_new_object();
    struct cJSON *pairs;
    bool done;

    json_add_string(tree, "before", judged->runs[0].folder);
    json_add_string(tree, "after", judged->runs[1].folder);
    json_add_int(tree, "pairs", (int64_t)compare->count);
    json_add_int(tree, "unpaired", (int64_t)compare->unpaired);
    json_add_int(tree, "successes_before", (int64_t)compare->before);
    json_add_int(tree, "successes_after", (int64_t)compare->after);
    json_add_int(tree, "gained", (int64_t)compare->gained);
    json_add_int(tree, "lost", (int64_t)compare->lost);
    json_add_number(tree, "p", compare->p);
    pairs = json_add_array(tree, "changes");
    for (size_t i = 0; i < compare->count; i++) {
        const struct run_compare_pair *pair = &compare->pairs[i];
        struct cJSON *object;

        if (change_of(pair) == CHANGE_NONE)
            continue;
        object = json_add_object(pairs, NULL);
        json_add_string(object, "task", pair->before->task);
        json_add_int(object, "repeat", pair->before->repeat);
        add_entry(object, "before", pair->before);
        add_entry(object, "after", pair->after);
    }
    done = output_stream_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    const struct diff_args *diff_args = args;
    struct judged_runs judged = JUDGED_RUNS_INIT;
    struct run_compare compare = {.pairs = NULL};
    bool done;

    (void)status;
    done = judged_runs_add(&judged, words->items[0], diff_args->judge, err) &&
           judged_runs_add(&judged, words->items[1], diff_args->judge, err);
    if (done)
        report_text_damage(cli, &judged);
    done = done && run_compare_init(&compare, &judged, err) &&
           (cli->shared.json ? print_json(cli, &judged, &compare, err)
                             : print_text(cli, &judged, &compare, err));
    run_compare_release(&compare);
    judged_runs_release(&judged);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct diff_args, judge, "judge", 'j', "NAME", COMPLETE_NOTHING,
                "The judge whose verdicts count: its name, or name-hash (the "
                "one with the most verdicts)"),
};

static const struct operand operands[] = {
    {.name = "RUN",
     .help = "The folders of two runs: before, and after",
     .min = 2,
     .max = 2,
     .completes = COMPLETE_FILE},
};

const struct command cmd_diff = {
    .name = "diff",
    .section = "Benchmarks",
    .summary = "Compare two runs",
    .description = "Pairs the episodes of the same task and repeat, lists "
                   "those whose outcome differs, and prints the probability of "
                   "such a difference by chance (McNemar's exact test).",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    .args_size = sizeof(struct diff_args),
    .takes = TAKES_JSON,
    .run = run,
};
