/* The usage of models so far and its limits, shared by all threads. */
#ifndef RUNNER_MODELS_SPENDING_H
#define RUNNER_MODELS_SPENDING_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/model.h"

struct spending {
    pthread_mutex_t lock; /* guards the members below */
    double max_cost;      /* US dollars; negative: no limit */
    int64_t max_tokens;   /* input and output; negative: no limit */
    struct model_usage sum;
    bool tokens_unknown; /* of a reply without usage */
    bool cost_unknown;   /* of a reply without usage or price */
};

void spending_init(struct spending *spending, double max_cost,
                   int64_t max_tokens);
void spending_release(struct spending *spending);

/* Add usage. NULL is fine: it is not counted. */
void spending_charge(struct spending *spending,
                     const struct model_usage *usage);
struct model_usage spending_sum(struct spending *spending);

/*
 * Is the usage below the limits? Fails with ERR_LIMIT when a limit is reached,
 * or cannot be counted because a service did not report its usage.
 */
MUST_USE bool spending_allows(struct spending *spending, struct err *err);

#endif
