/* Episodes counted and summed up, with the paper's arithmetic. */
#ifndef JUDGE_TALLY_H
#define JUDGE_TALLY_H

#include <stddef.h>

#include "judge/ledger.h"

/* Of something that is not known of every episode. */
struct tally_sum {
    double sum;
    size_t count;
};

struct tally {
    size_t outcomes[OUTCOMES];
    size_t early; /* of those uncompleted: stopped early */
    size_t failures[FAILURE_CLASSES];
    size_t needs; /* key points of all scored episodes */
    size_t met;
    struct tally_sum steps;     /* of scored episodes, as all below */
    struct tally_sum over_gold; /* of successes: steps over gold's steps */
    struct tally_sum seconds;
    struct tally_sum input_tokens;
    struct tally_sum output_tokens;
    struct tally_sum cost;
};

void tally_add(struct tally *tally, const struct ledger_entry *entry);

/* Success, failure and uncompleted: what rates are of. */
size_t tally_scored(const struct tally *tally);
/* All of them, also void and unscored. */
size_t tally_all(const struct tally *tally);

/* NAN where they are of nothing. */
double tally_success(const struct tally *tally);
double tally_mean(const struct tally_sum *sum);

#endif
