#include "judge/report/run_compare.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "judge/statistics/statistics.h"

static bool is_scored(const struct judged_attempt *entry)
{
    return entry->verdict.outcome != OUTCOME_VOID &&
           entry->verdict.outcome != OUTCOME_UNSCORED;
}

static bool succeeded(const struct judged_attempt *entry)
{
    return entry->verdict.outcome == OUTCOME_SUCCESS;
}

static int by_place(const void *a, const void *b)
{
    const struct judged_attempt *x = *(const struct judged_attempt *const *)a;
    const struct judged_attempt *y = *(const struct judged_attempt *const *)b;
    int difference = strcmp(x->task, y->task);

    if (!difference)
        difference = x->repeat - y->repeat;
    return difference ? difference : (x->run > y->run) - (x->run < y->run);
}

static void add_pair(struct run_compare *compare,
                     const struct judged_attempt *before,
                     const struct judged_attempt *after)
{
    compare->pairs =
        mem_resize(compare->pairs, compare->count + 1, sizeof(*compare->pairs));
    compare->pairs[compare->count++] = (struct run_compare_pair){before, after};
    compare->before += succeeded(before);
    compare->after += succeeded(after);
    compare->gained += succeeded(after) && !succeeded(before);
    compare->lost += succeeded(before) && !succeeded(after);
}

/* Sorted, the two episodes of a pair are neighbours. */
static void pair_up(struct run_compare *compare,
                    const struct judged_attempt *const *sorted, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct judged_attempt *before = sorted[i];
        const struct judged_attempt *after =
            i + 1 < count ? sorted[i + 1] : NULL;

        assert(before);
        if (!after || before->run == after->run ||
            before->repeat != after->repeat ||
            strcmp(before->task, after->task) != 0) {
            compare->unpaired++;
            continue;
        }
        if (is_scored(before) && is_scored(after))
            add_pair(compare, before, after);
        else
            compare->unpaired += 2;
        i++;
    }
}

static bool same_sort(const struct judged_attempt *const *entries, size_t count,
                      struct err *err)
{
    for (size_t i = 1; i < count; i++) {
        if (entries[i]->builtin != entries[0]->builtin)
            return err_set(err, ERR_INVALID,
                           "results of the built-in phone and of real phones "
                           "cannot be compared");
    }
    return true;
}

bool run_compare_init(struct run_compare *compare,
                      const struct judged_runs *judged, struct err *err)
{
    const struct judged_attempt **entries =
        mem_new(judged->count + 1, sizeof(struct judged_attempt *));
    size_t count = 0;
    bool done;

    *compare = (struct run_compare){.pairs = NULL};
    for (size_t i = 0; i < judged->count; i++) {
        if (judged->entries[i].counts && judged->entries[i].run < 2)
            entries[count++] = &judged->entries[i];
    }
    done = same_sort(entries, count, err);
    if (done) {
        qsort(entries, count, sizeof(struct judged_attempt *), by_place);
        pair_up(compare, entries, count);
        compare->p = statistics_mcnemar(compare->gained, compare->lost);
    }
    free(entries);
    return done;
}

void run_compare_release(struct run_compare *compare)
{
    free(compare->pairs);
    *compare = (struct run_compare){.pairs = NULL};
}
