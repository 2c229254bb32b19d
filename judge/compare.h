/* What changed from one run to another: episode by episode. Pure. */
#ifndef JUDGE_COMPARE_H
#define JUDGE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "judge/ledger.h"

/* The same task and repeat in both runs, scored in both. */
struct compare_pair {
    const struct ledger_entry *before; /* borrowed, as after */
    const struct ledger_entry *after;
};

struct compare {
    struct compare_pair *pairs; /* owned; by task and repeat */
    size_t count;
    size_t before; /* successes */
    size_t after;
    size_t gained;   /* succeed only after */
    size_t lost;     /* succeeded only before */
    double p;        /* McNemar's, exact and two-sided */
    size_t unpaired; /* episodes that count and have no scored counterpart */
};

/*
 * Of the ledger's first two runs. Fails with ERR_INVALID when one was played
 * on real phones and the other was not.
 */
MUST_USE bool compare_init(struct compare *compare, const struct ledger *ledger,
                           struct err *err);
void compare_release(struct compare *compare);

#endif
