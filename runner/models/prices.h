/* Prices of tokens, from runner/models/prices.json or a file of the user. */
#ifndef RUNNER_MODELS_PRICES_H
#define RUNNER_MODELS_PRICES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/model.h"

/* In US dollars per million tokens. */
struct price {
    char *model; /* owned; without vendor and date */
    double input;
    double cached; /* of cached input */
    double output;
    bool fixed_sampling; /* it refuses temperature and similar parameters */
};

struct prices {
    struct price *items; /* owned */
    size_t count;
};

void prices_release(struct prices *prices);

MUST_USE bool prices_parse(const char *text, size_t length,
                           struct prices *prices, struct err *err);

/* Load a file; NULL: the built-in one. Fails as file_load and prices_parse. */
MUST_USE bool prices_load(const char *path, struct prices *prices,
                          struct err *err);

/*
 * Find the price of a model by its name, with or without vendor, date or
 * "-latest"; NULL: not known.
 */
const struct price *prices_find(const struct prices *prices, const char *model);

/* The cost of a usage; -1 if price is NULL or the usage is unknown. */
double price_cost(const struct price *price, const struct model_usage *usage);

#endif
