/* Sums and means over episodes, with the paper's arithmetic. */
#ifndef JUDGE_REPORT_TALLY_H
#define JUDGE_REPORT_TALLY_H

#include <stddef.h>

#include "judge/report/judged_runs.h"

/* The sum of a value that may be unknown for some episodes. */
struct tally_sum {
    double sum;
    size_t count;
};

struct tally {
    size_t outcomes[OUTCOMES];
    size_t early; /* of the uncompleted: stopped early */
    size_t failures[FAILURE_CLASSES];
    size_t needs; /* key points of all scored episodes */
    size_t met;
    size_t questions;       /* of the checklists of all scored episodes */
    size_t answered;        /* those that are met */
    struct tally_sum steps; /* of scored episodes, as all below */
    struct tally_sum raw_commands;
    struct tally_sum over_gold; /* of successes: steps over gold's steps */
    struct tally_sum seconds;
    struct tally_sum input_tokens;
    struct tally_sum output_tokens;
    struct tally_sum cost;
};

void tally_add(struct tally *tally, const struct judged_attempt *entry);

/* The number of scored episodes: success, failure and uncompleted. */
size_t tally_scored(const struct tally *tally);
/* The number of all episodes, including void and unscored. */
size_t tally_all(const struct tally *tally);

/* NAN where there is nothing to average. */
double tally_success(const struct tally *tally);
double tally_mean(const struct tally_sum *sum);

#endif
