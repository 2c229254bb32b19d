#include "judge/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "judge/ledger_private.h"
#include "tasks/results.h"

static void release_run(struct ledger_run *run)
{
    for (size_t i = 0; i < run->judge_count; i++)
        free(run->judges[i].name);
    free(run->judges);
    free(run->folder);
    free(run->id);
    free(run->agent);
    free(run->suite);
    free(run->locale);
}

static void release_entry(struct ledger_entry *entry)
{
    free(entry->folder);
    free(entry->task);
    free(entry->agent);
    free(entry->phone);
    free(entry->app);
    free(entry->category);
    free(entry->locale);
    free(entry->instruction);
    free(entry->reason);
    free(entry->damage);
    verdict_release(&entry->verdict);
}

void ledger_release(struct ledger *ledger)
{
    ledger_shrink(ledger, 0, 0);
    free(ledger->entries);
    free(ledger->runs);
    *ledger = (struct ledger)LEDGER_INIT;
}

void ledger_shrink(struct ledger *ledger, size_t runs, size_t entries)
{
    while (ledger->count > entries)
        release_entry(&ledger->entries[--ledger->count]);
    while (ledger->run_count > runs)
        release_run(&ledger->runs[--ledger->run_count]);
}

/* ---- results.jsonl ---- */

/* An entry has what the result knew. */
static void take_result(struct result *result, size_t run,
                        struct ledger_entry *entry)
{
    *entry = (struct ledger_entry){
        .run = run,
        .folder = result->episode,
        .task = result->task,
        .repeat = result->repeat,
        .attempt = result->attempt,
        .agent = result->agent,
        .phone = result->phone,
        .ending = result->ending,
        .reason = result->reason,
        .steps = result->steps,
        .duration_ms = result->duration_ms,
        .input_tokens = result->input_tokens,
        .cached_tokens = result->cached_tokens,
        .output_tokens = result->output_tokens,
        .cost = result->cost,
        .verdict = VERDICT_INIT,
    };
    entry->verdict.outcome = OUTCOME_UNSCORED;
    *result = (struct result){.task = NULL};
}

static bool same_place(const struct ledger_entry *a,
                       const struct ledger_entry *b)
{
    return a->repeat == b->repeat && !strcmp(a->task, b->task);
}

static int by_place(const void *a, const void *b)
{
    const struct ledger_entry *x = *(struct ledger_entry *const *)a;
    const struct ledger_entry *y = *(struct ledger_entry *const *)b;
    int difference = strcmp(x->task, y->task);

    if (!difference)
        difference = (x->repeat > y->repeat) - (x->repeat < y->repeat);
    /* What is not void comes last. */
    if (!difference)
        difference = (y->ending == ENDING_VOID) - (x->ending == ENDING_VOID);
    if (!difference)
        difference = (x->attempt > y->attempt) - (x->attempt < y->attempt);
    return difference ? difference : (x > y) - (x < y);
}

/* The last attempt that is not void counts, or else the last. */
static void choose_attempts(struct ledger *ledger, size_t first)
{
    size_t count = ledger->count - first;
    struct ledger_entry **sorted =
        mem_new(count + 1, sizeof(struct ledger_entry *));

    for (size_t i = 0; i < count; i++)
        sorted[i] = &ledger->entries[first + i];
    qsort(sorted, count, sizeof(struct ledger_entry *), by_place);
    for (size_t i = 0; i < count; i++)
        sorted[i]->counts =
            i + 1 == count || !same_place(sorted[i], sorted[i + 1]);
    free(sorted);
}

bool ledger_parse_results(struct ledger *ledger, size_t run, const char *text,
                          size_t length, struct err *err)
{
    struct results results;
    size_t first = ledger->count;

    if (!results_parse(text, length, &results, err))
        return false;
    if (results.count > LEDGER_ENTRIES_MAX - ledger->count) {
        results_release(&results);
        return err_set(err, ERR_LIMIT, "more than %zu episodes",
                       LEDGER_ENTRIES_MAX);
    }
    ledger->entries =
        mem_resize(ledger->entries, ledger->count + results.count + 1,
                   sizeof(*ledger->entries));
    for (size_t i = 0; i < results.count; i++)
        take_result(&results.items[i], run, &ledger->entries[ledger->count++]);
    results_release(&results);
    choose_attempts(ledger, first);
    return true;
}
