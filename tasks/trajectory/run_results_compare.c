#include "tasks/trajectory/run_results_compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define FAULT_SIZE 512

void results_faults_release(struct results_faults *faults)
{
    for (size_t i = 0; i < faults->count; i++) {
        free(faults->items[i].episode);
        free(faults->items[i].text);
    }
    free(faults->items);
    *faults = (struct results_faults){.items = NULL};
}

PRINTF_LIKE(4, 5)
static void add(struct results_faults *faults, enum results_fault_kind kind,
                const char *episode, const char *fmt, ...)
{
    char text[FAULT_SIZE];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    faults->items =
        mem_resize(faults->items, faults->count + 1, sizeof(*faults->items));
    faults->items[faults->count++] =
        (struct results_fault){kind, mem_dup(episode), mem_dup(text)};
}

static int by_episode(const void *a, const void *b)
{
    const struct run_result *x = *(const struct run_result *const *)a;
    const struct run_result *y = *(const struct run_result *const *)b;

    return strcmp(x->episode, y->episode);
}

/* By folder; the caller frees the array. */
static const struct run_result **sorted(const struct run_results *results)
{
    const struct run_result **items =
        mem_new(results->count + 1, sizeof(const struct run_result *));

    for (size_t i = 0; i < results->count; i++)
        items[i] = &results->items[i];
    qsort(items, results->count, sizeof(const struct run_result *), by_episode);
    return items;
}

static bool same_text(const char *a, const char *b)
{
    return !strcmp(a ? a : "", b ? b : "");
}

/* Sums are added in the same order, but written with fewer digits. */
static bool same_cost(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * (1 + fabs(a));
}

/* The member that differs; NULL: none does. */
static const char *difference(const struct run_result *listed,
                              const struct run_result *found)
{
    if (!same_text(listed->task, found->task))
        return "task";
    if (listed->repeat != found->repeat)
        return "repeat";
    if (listed->attempt != found->attempt)
        return "attempt";
    if (listed->ending != found->ending)
        return "ending";
    if (listed->steps != found->steps)
        return "steps";
    if (listed->duration_ms != found->duration_ms)
        return "duration_ms";
    if (listed->input_tokens != found->input_tokens)
        return "input_tokens";
    if (listed->cached_tokens != found->cached_tokens)
        return "cached_tokens";
    if (listed->output_tokens != found->output_tokens)
        return "output_tokens";
    if (!same_cost(listed->cost, found->cost))
        return "cost";
    if (!same_text(listed->agent, found->agent))
        return "agent";
    if (!same_text(listed->phone, found->phone))
        return "phone";
    if (!same_text(listed->reason, found->reason))
        return "reason";
    return NULL;
}

/* One that is in both. */
static void compare_one(const struct run_result *listed,
                        const struct run_result *found,
                        struct results_faults *faults)
{
    const char *member;

    if (found->damage) {
        add(faults, RESULTS_FAULT_EPISODE, listed->episode,
            "its events cannot be read: %s", found->damage);
        return;
    }
    if (found->ending == ENDING_NONE && listed->ending != ENDING_NONE) {
        add(faults, RESULTS_FAULT_LISTED, listed->episode,
            "results.jsonl says that it ended (%s), its events do not",
            trajectory_ending_name(listed->ending));
        return;
    }
    member = difference(listed, found);
    if (member)
        add(faults, RESULTS_FAULT_LISTED, listed->episode,
            "results.jsonl and its events do not agree: %s", member);
}

/* One that has a folder only. */
static void compare_unlisted(const struct run_result *found,
                             struct results_faults *faults)
{
    if (found->damage)
        add(faults, RESULTS_FAULT_EPISODE, found->episode,
            "its events cannot be read: %s", found->damage);
    else if (found->ending != ENDING_NONE)
        add(faults, RESULTS_FAULT_UNLISTED, found->episode,
            "it ended (%s), but results.jsonl does not list it",
            trajectory_ending_name(found->ending));
}

void run_results_compare(const struct run_results *listed,
                         const struct run_results *scanned,
                         struct results_faults *faults)
{
    const struct run_result **lines = sorted(listed);
    const struct run_result **found = sorted(scanned);
    size_t line = 0;
    size_t at = 0;

    *faults = (struct results_faults){.items = NULL};
    while (line < listed->count || at < scanned->count) {
        int order = line == listed->count ? 1
                    : at == scanned->count
                        ? -1
                        : strcmp(lines[line]->episode, found[at]->episode);

        if (line > 0 && line < listed->count && order <= 0 &&
            !strcmp(lines[line]->episode, lines[line - 1]->episode)) {
            add(faults, RESULTS_FAULT_LISTED, lines[line]->episode,
                "results.jsonl lists it twice");
            line++;
        } else if (order < 0) {
            add(faults, RESULTS_FAULT_LISTED, lines[line]->episode,
                "results.jsonl lists it, but there is no such episode");
            line++;
        } else if (order > 0) {
            compare_unlisted(found[at++], faults);
        } else {
            compare_one(lines[line], found[at], faults);
            line++;
            while (line < listed->count &&
                   !strcmp(lines[line]->episode, found[at]->episode)) {
                add(faults, RESULTS_FAULT_LISTED, lines[line]->episode,
                    "results.jsonl lists it twice");
                line++;
            }
            at++;
        }
    }
    free(lines);
    free(found);
}
