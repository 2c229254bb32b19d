/* proctor diff: what changed from one run to another. */
#include <math.h>
#include <string.h>

#include "base/json_write.h"
#include "judge/compare.h"
#include "judge/statistics.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/page.h"
#include "tools/cli/report_text.h"
#include "tools/cli/table.h"

struct diff_args {
    const char *judge;
};

/* What became of a pair. */
enum change {
    CHANGE_GAINED,
    CHANGE_LOST,
    CHANGE_OTHER, /* another way of not succeeding */
    CHANGE_NONE,
};

static enum change change_of(const struct compare_pair *pair)
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

static void add_pair(struct table *table, const struct compare_pair *pair,
                     enum page_style style)
{
    char text[64];

    table_cell(table, PAGE_PLAIN, "");
    table_cell(table, style, pair->after->task);
    snprintf(text, sizeof(text), "repeat %d", pair->after->repeat + 1);
    table_cell(table, PAGE_DIM, text);
    snprintf(text, sizeof(text), "%s, then %s",
             outcome_name(pair->before->verdict.outcome),
             outcome_name(pair->after->verdict.outcome));
    table_cell(table, PAGE_PLAIN, text);
    snprintf(text, sizeof(text), "%d, then %d steps", pair->before->steps,
             pair->after->steps);
    table_cell(table, PAGE_DIM, text);
}

static void list(struct page *page, const struct compare *compare,
                 enum change wanted, const char *title, enum page_style style)
{
    struct table table;

    table_init(&table, 5);
    for (size_t i = 0; i < compare->count; i++) {
        if (change_of(&compare->pairs[i]) == wanted)
            add_pair(&table, &compare->pairs[i], style);
    }
    if (table.count) {
        page_text(page, PAGE_PLAIN, "\n");
        page_text(page, PAGE_BOLD, title);
        page_text(page, PAGE_PLAIN, "\n");
        table_write(&table, page);
    }
    table_release(&table);
}

static void say_run(struct page *page, const struct ledger_run *run,
                    size_t successes, size_t count)
{
    struct interval interval = statistics_wilson(successes, count);

    page_foreign(page, PAGE_PLAIN, run->folder);
    page_text(page, PAGE_PLAIN, ", ");
    page_foreign(page, PAGE_PLAIN, run->agent ? run->agent : "unknown");
    page_printf(page, ": %zu of %zu (%.1f %%", successes, count,
                100 * statistics_rate(successes, count));
    page_printf(page, ", 95 %%: %.1f to %.1f)\n", 100 * interval.low,
                100 * interval.high);
}

static bool print_text(struct cli *cli, const struct ledger *ledger,
                       const struct compare *compare, struct err *err)
{
    struct page page;
    bool done;

    page_init(&page, cli->out.fd);
    if (!compare->count) {
        page_text(&page, PAGE_PLAIN, "No task was scored in both runs.\n");
    } else {
        say_run(&page, &ledger->runs[0], compare->before, compare->count);
        say_run(&page, &ledger->runs[1], compare->after, compare->count);
        page_printf(&page, "%zu gained, %zu lost: p = %.3g (McNemar, exact)\n",
                    compare->gained, compare->lost, compare->p);
    }
    list(&page, compare, CHANGE_GAINED, "Gained", PAGE_GREEN);
    list(&page, compare, CHANGE_LOST, "Lost", PAGE_RED);
    list(&page, compare, CHANGE_OTHER, "Failed otherwise", PAGE_PLAIN);
    if (compare->unpaired)
        page_printf(&page, "\n%zu episodes have no scored counterpart.\n",
                    compare->unpaired);
    done = output_buf(&cli->out, &page.text, err);
    page_release(&page);
    return done;
}

/* ---- for programs ---- */

static void add_entry(struct cJSON *into, const char *key,
                      const struct ledger_entry *entry)
{
    struct cJSON *object = json_add_object(into, key);

    json_add_string(object, "outcome", outcome_name(entry->verdict.outcome));
    json_add_int(object, "steps", entry->steps);
    json_add_string(object, "episode", entry->folder);
}

static bool print_json(struct cli *cli, const struct ledger *ledger,
                       const struct compare *compare, struct err *err)
{
    struct cJSON *tree = json_new_object();
    struct cJSON *pairs;
    bool done;

    json_add_string(tree, "before", ledger->runs[0].folder);
    json_add_string(tree, "after", ledger->runs[1].folder);
    json_add_int(tree, "pairs", (int64_t)compare->count);
    json_add_int(tree, "unpaired", (int64_t)compare->unpaired);
    json_add_int(tree, "successes_before", (int64_t)compare->before);
    json_add_int(tree, "successes_after", (int64_t)compare->after);
    json_add_int(tree, "gained", (int64_t)compare->gained);
    json_add_int(tree, "lost", (int64_t)compare->lost);
    json_add_number(tree, "p", compare->p);
    pairs = json_add_array(tree, "changes");
    for (size_t i = 0; i < compare->count; i++) {
        const struct compare_pair *pair = &compare->pairs[i];
        struct cJSON *object;

        if (change_of(pair) == CHANGE_NONE)
            continue;
        object = json_add_object(pairs, NULL);
        json_add_string(object, "task", pair->before->task);
        json_add_int(object, "repeat", pair->before->repeat);
        add_entry(object, "before", pair->before);
        add_entry(object, "after", pair->after);
    }
    done = output_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

static bool run(struct cli *cli, const void *args, const struct words *words,
                int *status, struct err *err)
{
    const struct diff_args *diff_args = args;
    struct ledger ledger = LEDGER_INIT;
    struct compare compare = {.pairs = NULL};
    bool done;

    (void)status;
    done = ledger_add(&ledger, words->items[0], diff_args->judge, err) &&
           ledger_add(&ledger, words->items[1], diff_args->judge, err);
    if (done)
        report_text_damage(cli, &ledger);
    done = done && compare_init(&compare, &ledger, err) &&
           (cli->shared.json ? print_json(cli, &ledger, &compare, err)
                             : print_text(cli, &ledger, &compare, err));
    compare_release(&compare);
    ledger_release(&ledger);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXT(struct diff_args, judge, "judge", 'j', "NAME", COMPLETE_NOTHING,
                "Whose verdicts count: a judge's name, or name-hash; otherwise "
                "of who judged most"),
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
    .summary = "Say what changed from one run to another",
    .description =
        "Pairs the episodes of the same task and repeat, lists those whose "
        "outcome differs, and says how likely chance alone is as uneven "
        "(McNemar's exact test).",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    .args_size = sizeof(struct diff_args),
    .takes = TAKES_JSON,
    .run = run,
};
