/* What models have cost so far, and how much they may: of all threads. */
#ifndef RUNNER_SPENDING_H
#define RUNNER_SPENDING_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/model.h"

struct spending {
    pthread_mutex_t lock; /* guards sum */
    double max_cost;      /* US dollars; negative: no limit */
    int64_t max_tokens;   /* in and out; negative: no limit */
    struct model_usage sum;
};

void spending_init(struct spending *spending, double max_cost,
                   int64_t max_tokens);
void spending_release(struct spending *spending);

/* NULL is a spending that nobody looks at. */
void spending_charge(struct spending *spending,
                     const struct model_usage *usage);
struct model_usage spending_sum(struct spending *spending);

/* Is there something left? ERR_LIMIT says which limit is reached. */
MUST_USE bool spending_allows(struct spending *spending, struct err *err);

#endif
