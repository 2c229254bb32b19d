#include "judge/report/judged_runs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "judge/report/judged_runs_private.h"
#include "tasks/trajectory/run_results.h"

static void release_run(struct judged_run *run)
{
    for (size_t i = 0; i < run->judge_count; i++)
        free(run->judges[i].name);
    free(run->judges);
    free(run->folder);
    free(run->id);
    free(run->agent);
    free(run->suite);
    free(run->locale);
    text_list_release(&run->faults);
}

static void release_entry(struct judged_attempt *entry)
{
    free(entry->folder);
    free(entry->task);
    free(entry->agent);
    free(entry->phone);
    free(entry->app);
    free(entry->category);
    free(entry->original);
    free(entry->locale);
    free(entry->instruction);
    free(entry->reason);
    free(entry->damage);
    verdict_release(&entry->verdict);
}

void judged_runs_release(struct judged_runs *judged)
{
    judged_runs_shrink(judged, 0, 0);
    free(judged->entries);
    free(judged->runs);
    *judged = (struct judged_runs)JUDGED_RUNS_INIT;
}

void judged_runs_shrink(struct judged_runs *judged, size_t runs, size_t entries)
{
    while (judged->count > entries)
        release_entry(&judged->entries[--judged->count]);
    while (judged->run_count > runs)
        release_run(&judged->runs[--judged->run_count]);
}

/* ---- results.jsonl ---- */

/* Fill an entry from a line of results.jsonl. */
static void take_result(struct run_result *result, size_t run,
                        struct judged_attempt *entry)
{
    *entry = (struct judged_attempt){
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
        .raw_commands = result->raw_commands,
        .person_actions = result->person_actions,
        .duration_ms = result->duration_ms,
        .input_tokens = result->input_tokens,
        .cached_tokens = result->cached_tokens,
        .output_tokens = result->output_tokens,
        .cost = result->cost,
        .verdict = VERDICT_INIT,
    };
    entry->verdict.outcome = OUTCOME_UNSCORED;
    free(result->recording);
    *result = (struct run_result){.task = NULL};
}

static bool same_place(const struct judged_attempt *a,
                       const struct judged_attempt *b)
{
    return a->repeat == b->repeat && !strcmp(a->task, b->task);
}

static int by_place(const void *a, const void *b)
{
    const struct judged_attempt *x = *(struct judged_attempt *const *)a;
    const struct judged_attempt *y = *(struct judged_attempt *const *)b;
    int difference = strcmp(x->task, y->task);

    if (!difference)
        difference = (x->repeat > y->repeat) - (x->repeat < y->repeat);
    /*
     * Sorts void attempts first, so that the attempt that counts is the last.
     */
    if (!difference)
        difference = (y->ending == ENDING_VOID) - (x->ending == ENDING_VOID);
    if (!difference)
        difference = (x->attempt > y->attempt) - (x->attempt < y->attempt);
    return difference ? difference : (x > y) - (x < y);
}

/* The last attempt that is not void counts, or else the last. */
static void choose_attempts(struct judged_runs *judged, size_t first)
{
    size_t count = judged->count - first;
    struct judged_attempt **sorted =
        mem_new(count + 1, sizeof(struct judged_attempt *));

    for (size_t i = 0; i < count; i++)
        sorted[i] = &judged->entries[first + i];
    qsort(sorted, count, sizeof(struct judged_attempt *), by_place);
    for (size_t i = 0; i < count; i++)
        sorted[i]->counts =
            i + 1 == count || !same_place(sorted[i], sorted[i + 1]);
    free(sorted);
}

static int compare_attempts(const struct run_result *a,
                            const struct run_result *b)
{
    int order = strcmp(a->task, b->task);

    if (!order)
        order = (a->repeat > b->repeat) - (a->repeat < b->repeat);
    if (!order)
        order = (a->attempt > b->attempt) - (a->attempt < b->attempt);
    return order;
}

static int by_attempt(const void *a, const void *b)
{
    const struct run_result *x = *(struct run_result *const *)a;
    const struct run_result *y = *(struct run_result *const *)b;
    int order = compare_attempts(x, y);

    return order ? order : (x > y) - (x < y);
}

/* Lines about the same attempt: only the first is taken. run may be NULL. */
static void drop_doubles(struct run_results *results, struct judged_run *run)
{
    struct run_result **sorted =
        mem_new(results->count + 1, sizeof(struct run_result *));
    size_t kept = 0;

    for (size_t i = 0; i < results->count; i++)
        sorted[i] = &results->items[i];
    qsort(sorted, results->count, sizeof(struct run_result *), by_attempt);
    for (size_t i = results->count; i > 1; i--) {
        struct run_result *result = sorted[i - 1];
        struct buf text = BUF_INIT(PATH_MAX);

        if (compare_attempts(result, sorted[i - 2]) != 0)
            continue;
        buf_printf(&text, "%s: results.jsonl lists it twice", result->episode);
        if (run)
            text_list_add(&run->faults, buf_cstr(&text));
        buf_release(&text);
        run_result_release(result);
    }
    free(sorted);
    for (size_t i = 0; i < results->count; i++) {
        if (results->items[i].task)
            results->items[kept++] = results->items[i];
    }
    results->count = kept;
}

bool judged_runs_parse_results(struct judged_runs *judged, size_t run,
                               const char *text, size_t length, struct err *err)
{
    struct run_results results;
    size_t first = judged->count;

    if (!run_results_parse(text, length, &results, err))
        return false;
    if (results.count > JUDGED_RUNS_ENTRIES_MAX - judged->count) {
        run_results_release(&results);
        return err_set(err, ERR_LIMIT, "more than %zu episodes",
                       JUDGED_RUNS_ENTRIES_MAX);
    }
    drop_doubles(&results, run < judged->run_count ? &judged->runs[run] : NULL);
    judged->entries =
        mem_resize(judged->entries, judged->count + results.count + 1,
                   sizeof(*judged->entries));
    for (size_t i = 0; i < results.count; i++)
        take_result(&results.items[i], run, &judged->entries[judged->count++]);
    run_results_release(&results);
    choose_attempts(judged, first);
    return true;
}
