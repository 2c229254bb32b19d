#include "judge/compare.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "judge/statistics.h"

static bool is_scored(const struct ledger_entry *entry)
{
    return entry->verdict.outcome != OUTCOME_VOID &&
           entry->verdict.outcome != OUTCOME_UNSCORED;
}

static bool succeeded(const struct ledger_entry *entry)
{
    return entry->verdict.outcome == OUTCOME_SUCCESS;
}

static int by_place(const void *a, const void *b)
{
    const struct ledger_entry *x = *(const struct ledger_entry *const *)a;
    const struct ledger_entry *y = *(const struct ledger_entry *const *)b;
    int difference = strcmp(x->task, y->task);

    if (!difference)
        difference = x->repeat - y->repeat;
    return difference ? difference : (x->run > y->run) - (x->run < y->run);
}

static void add_pair(struct compare *compare, const struct ledger_entry *before,
                     const struct ledger_entry *after)
{
    compare->pairs =
        mem_resize(compare->pairs, compare->count + 1, sizeof(*compare->pairs));
    compare->pairs[compare->count++] = (struct compare_pair){before, after};
    compare->before += succeeded(before);
    compare->after += succeeded(after);
    compare->gained += succeeded(after) && !succeeded(before);
    compare->lost += succeeded(before) && !succeeded(after);
}

/* Sorted, the two of a pair are neighbours. */
static void pair_up(struct compare *compare,
                    const struct ledger_entry *const *sorted, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct ledger_entry *before = sorted[i];
        const struct ledger_entry *after = i + 1 < count ? sorted[i + 1] : NULL;

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

static bool same_sort(const struct ledger_entry *const *entries, size_t count,
                      struct err *err)
{
    for (size_t i = 1; i < count; i++) {
        if (entries[i]->builtin != entries[0]->builtin)
            return err_set(err, ERR_INVALID,
                           "some of it was played on the built-in phone and "
                           "some on real ones, which nobody can compare");
    }
    return true;
}

bool compare_init(struct compare *compare, const struct ledger *ledger,
                  struct err *err)
{
    const struct ledger_entry **entries =
        mem_new(ledger->count + 1, sizeof(struct ledger_entry *));
    size_t count = 0;
    bool done;

    *compare = (struct compare){.pairs = NULL};
    for (size_t i = 0; i < ledger->count; i++) {
        if (ledger->entries[i].counts && ledger->entries[i].run < 2)
            entries[count++] = &ledger->entries[i];
    }
    done = same_sort(entries, count, err);
    if (done) {
        qsort(entries, count, sizeof(struct ledger_entry *), by_place);
        pair_up(compare, entries, count);
        compare->p = statistics_mcnemar(compare->gained, compare->lost);
    }
    free(entries);
    return done;
}

void compare_release(struct compare *compare)
{
    free(compare->pairs);
    *compare = (struct compare){.pairs = NULL};
}
