/* How success spreads over the wordings of tasks. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "judge/report/report.h"

/* The success of one task over its wordings. */
struct wording_count {
    size_t wordings; /* with scored episodes */
    size_t done;     /* wordings in which all of those succeeded */
    size_t failed;   /* wordings in which none did */
};

static struct tally count_cell(const struct report *report, size_t row,
                               size_t wording, size_t task)
{
    struct report_slice slice = report_slice(row);
    struct interval ignored;
    struct tally tally;

    slice.want[REPORT_WORDING] = wording;
    slice.want[REPORT_TASK] = task;
    report_count(report, &slice, &tally, &ignored);
    return tally;
}

static struct wording_count count_task(const struct report *report, size_t row,
                                       size_t task)
{
    struct wording_count count = {.wordings = 0};

    for (size_t i = 0; i < report->values[REPORT_WORDING].count; i++) {
        struct tally tally = count_cell(report, row, i, task);
        size_t scored = tally_scored(&tally);
        size_t success = tally.outcomes[OUTCOME_SUCCESS];

        count.wordings += scored > 0;
        count.done += scored && success == scored;
        count.failed += scored && !success;
    }
    return count;
}

/* The first of equal ones is the worst and the best. */
static void find_extremes(const struct report *report, size_t row,
                          struct report_spread *spread)
{
    double least = INFINITY;
    double most = -INFINITY;

    for (size_t i = 0; i < report->values[REPORT_WORDING].count; i++) {
        struct tally tally = count_cell(report, row, i, REPORT_ANY);
        double success = tally_success(&tally);

        if (success < least) {
            least = success;
            spread->worst = i;
        }
        if (success > most) {
            most = success;
            spread->best = i;
        }
    }
}

struct report_spread report_spread(const struct report *report, size_t row)
{
    struct report_spread spread = {.worst = REPORT_ANY, .best = REPORT_ANY};

    for (size_t i = 0; i < report->values[REPORT_TASK].count; i++) {
        struct wording_count count = count_task(report, row, i);

        if (count.wordings < 2)
            continue;
        spread.tasks++;
        if (count.done == count.wordings)
            spread.always++;
        else if (count.failed == count.wordings)
            spread.never++;
        else
            spread.sometimes++;
    }
    find_extremes(report, row, &spread);
    return spread;
}
