/* What the files of the ledger share. */
#ifndef JUDGE_LEDGER_PRIVATE_H
#define JUDGE_LEDGER_PRIVATE_H

#include "judge/ledger.h"

/* Forget all but the first ones. */
void ledger_shrink(struct ledger *ledger, size_t runs, size_t entries);

/*
 * Read the verdicts of the entries from first on, which are all of the run,
 * and keep those of one judge. Fails as ledger_add.
 */
MUST_USE bool ledger_listen(struct ledger *ledger, size_t first,
                            const char *judge, struct err *err);

#endif
