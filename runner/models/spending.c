#include "runner/models/spending.h"

#include <inttypes.h>

void spending_init(struct spending *spending, double max_cost,
                   int64_t max_tokens)
{
    *spending = (struct spending){
        .max_cost = max_cost,
        .max_tokens = max_tokens,
        .sum = {.input_tokens = 0},
    };
    pthread_mutex_init(&spending->lock, NULL);
}

void spending_release(struct spending *spending)
{
    pthread_mutex_destroy(&spending->lock);
}

void spending_charge(struct spending *spending, const struct model_usage *usage)
{
    if (!spending)
        return;
    pthread_mutex_lock(&spending->lock);
    model_usage_add(&spending->sum, usage);
    spending->tokens_unknown |=
        usage->input_tokens < 0 || usage->output_tokens < 0;
    spending->cost_unknown |= usage->cost < 0;
    pthread_mutex_unlock(&spending->lock);
}

struct model_usage spending_sum(struct spending *spending)
{
    struct model_usage sum = {.input_tokens = 0};

    if (spending) {
        pthread_mutex_lock(&spending->lock);
        sum = spending->sum;
        pthread_mutex_unlock(&spending->lock);
    }
    return sum;
}

/* A limit that cannot be counted is an error. */
static bool check_known(struct spending *spending, struct err *err)
{
    bool tokens, cost;

    pthread_mutex_lock(&spending->lock);
    tokens = spending->tokens_unknown;
    cost = spending->cost_unknown;
    pthread_mutex_unlock(&spending->lock);
    if (spending->max_tokens >= 0 && tokens)
        return err_set(err, ERR_LIMIT,
                       "the service does not report the tokens it used: "
                       "--max-tokens cannot be kept");
    if (spending->max_cost >= 0 && cost)
        return err_set(err, ERR_LIMIT,
                       "the cost of a reply is not known: --max-cost cannot "
                       "be kept");
    return true;
}

bool spending_allows(struct spending *spending, struct err *err)
{
    struct model_usage sum = spending_sum(spending);
    int64_t tokens = sum.input_tokens + sum.output_tokens;

    if (!spending)
        return true;
    if (spending->max_cost >= 0 && sum.cost >= spending->max_cost)
        return err_set(err, ERR_LIMIT,
                       "$%.4f are spent, of at most $%.4f (--max-cost)",
                       sum.cost, spending->max_cost);
    if (spending->max_tokens >= 0 && tokens >= spending->max_tokens)
        return err_set(err, ERR_LIMIT,
                       "%" PRId64 " tokens are used, of at most %" PRId64
                       " (--max-tokens)",
                       tokens, spending->max_tokens);
    return check_known(spending, err);
}
