/* The sentences of a report. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "judge/report/report.h"

/* ---- why some are in no rate ---- */

static const char *reason_of(const struct judged_attempt *entry)
{
    if (entry->verdict.outcome == OUTCOME_UNSCORED && entry->damage)
        return "its files could not be read";
    if (entry->verdict.outcome == OUTCOME_UNSCORED && !entry->judged)
        return "not judged yet";
    if (entry->verdict.outcome == OUTCOME_VOID && entry->reason &&
        *entry->reason)
        return entry->reason;
    if (entry->verdict.reason && *entry->verdict.reason)
        return entry->verdict.reason;
    return "no reason is given";
}

static void add_reason(struct report_reasons *reasons,
                       const struct report_reason *found)
{
    for (size_t i = 0; i < reasons->count; i++) {
        struct report_reason *old = &reasons->items[i];

        if (old->row == found->row && old->outcome == found->outcome &&
            !strcmp(old->reason, found->reason)) {
            old->count++;
            return;
        }
    }
    reasons->items =
        mem_resize(reasons->items, reasons->count + 1, sizeof(*reasons->items));
    reasons->items[reasons->count++] = *found;
}

static int compare_reasons(const void *a, const void *b)
{
    const struct report_reason *x = a, *y = b;

    if (x->outcome != y->outcome)
        return (int)x->outcome - (int)y->outcome;
    if (x->count != y->count)
        return (x->count < y->count) - (x->count > y->count);
    if (x->row != y->row)
        return (x->row > y->row) - (x->row < y->row);
    return strcmp(x->reason, y->reason);
}

void report_reasons(const struct report *report, struct report_reasons *reasons)
{
    *reasons = (struct report_reasons){.items = NULL};
    for (size_t i = 0; i < report->judged->count; i++) {
        const struct judged_attempt *entry = &report->judged->entries[i];
        struct report_reason found = {.outcome = entry->verdict.outcome,
                                      .reason = reason_of(entry),
                                      .row = report->entry_row[i],
                                      .count = 1};

        if (found.outcome == OUTCOME_VOID || found.outcome == OUTCOME_UNSCORED)
            add_reason(reasons, &found);
    }
    if (reasons->count)
        qsort(reasons->items, reasons->count, sizeof(*reasons->items),
              compare_reasons);
}

void report_reasons_release(struct report_reasons *reasons)
{
    free(reasons->items);
    *reasons = (struct report_reasons){.items = NULL};
}

/* ---- the headline ---- */

/* "gold succeeded in 20 of 20 episodes (100.0 %)" */
static void say_row(const struct report_row *row, bool first, struct buf *text)
{
    size_t scored = tally_scored(&row->tally);

    if (!scored) {
        buf_printf(text, "%s has no scored episode", row->label);
        return;
    }
    buf_printf(text, "%s %s %zu of %zu%s (%.1f %%)", row->label,
               first ? "succeeded in" : "in",
               row->tally.outcomes[OUTCOME_SUCCESS], scored,
               !first        ? ""
               : scored == 1 ? " episode"
                             : " episodes",
               100 * tally_success(&row->tally));
}

static void say_rows(const struct report *report, bool builtin,
                     struct buf *text)
{
    size_t left = 0;
    bool first = true;

    for (size_t i = 0; i < report->row_count; i++)
        left += report->rows[i].builtin == builtin;
    for (size_t i = 0; i < report->row_count; i++) {
        const struct report_row *row = &report->rows[i];

        if (row->builtin != builtin)
            continue;
        left--;
        if (!first)
            buf_text(text, left ? ", " : " and ");
        say_row(row, first || !tally_scored(&report->rows[i - 1].tally), text);
        first = false;
    }
}

void report_headline(const struct report *report, struct buf *text)
{
    if (!report->row_count) {
        buf_text(text, "No episode was finished.");
        return;
    }
    if (report_has(report, false)) {
        buf_text(text, "On real phones, ");
        say_rows(report, false, text);
        buf_text(text, ".");
    }
    if (report_has(report, true)) {
        buf_text(text, report_has(report, false) ? " On the built-in phone, "
                                                 : "On the built-in phone, ");
        say_rows(report, true, text);
        buf_text(text, ".");
    }
}
