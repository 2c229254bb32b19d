/* Compares two runs, episode by episode. Pure. */
#ifndef JUDGE_REPORT_RUN_COMPARE_H
#define JUDGE_REPORT_RUN_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "judge/report/judged_runs.h"

/* The same task and repeat in both runs, scored in both. */
struct run_compare_pair {
    const struct judged_attempt *before; /* borrowed, as after */
    const struct judged_attempt *after;
};

struct run_compare {
    struct run_compare_pair *pairs; /* owned; by task and repeat */
    size_t count;
    size_t before; /* successes */
    size_t after;
    size_t gained;   /* succeed only in the second run */
    size_t lost;     /* succeeded only in the first run */
    double p;        /* McNemar's, exact and two-sided */
    size_t unpaired; /* episodes that count without a scored counterpart */
};

/*
 * Compare the first two runs. Fails with ERR_INVALID when one used real phones
 * and the other did not.
 */
MUST_USE bool run_compare_init(struct run_compare *compare,
                               const struct judged_runs *judged,
                               struct err *err);
void run_compare_release(struct run_compare *compare);

#endif
