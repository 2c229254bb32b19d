/* What tokens cost, from a file of data: runner/prices.json, or the user's. */
#ifndef RUNNER_PRICES_H
#define RUNNER_PRICES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/model.h"

/* US dollars for a million tokens. */
struct price {
    char *model; /* owned; without vendor and date */
    double input;
    double cached; /* of input that the service has seen before */
    double output;
    bool fixed_sampling; /* it refuses temperature and the like */
};

struct prices {
    struct price *items; /* owned */
    size_t count;
};

void prices_release(struct prices *prices);

MUST_USE bool prices_parse(const char *text, size_t length,
                           struct prices *prices, struct err *err);

/* A file; NULL: the built-in ones. Fails as file_load and prices_parse. */
MUST_USE bool prices_load(const char *path, struct prices *prices,
                          struct err *err);

/*
 * That of a model by its name, with or without vendor, date or "-latest"; NULL:
 * none is known, which is better than a wrong one.
 */
const struct price *prices_find(const struct prices *prices, const char *model);

/* The cost of what was used; -1 if price is NULL or usage unknown. */
double price_cost(const struct price *price, const struct model_usage *usage);

#endif
