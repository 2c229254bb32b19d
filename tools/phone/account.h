/*
 * Memory that many share: what each of them takes is counted, and together
 * they never take more than the limit. Safe from any thread.
 */
#ifndef PHONE_ACCOUNT_H
#define PHONE_ACCOUNT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

struct account {
    atomic_size_t used;
    size_t limit;
};

#define ACCOUNT_INIT(limit_)                                                   \
    {                                                                          \
        .limit = (limit_)                                                      \
    }

/* False when so much is not left. NULL has no limit. */
MUST_USE static inline bool account_take(struct account *account, size_t bytes)
{
    if (!account ||
        atomic_fetch_add(&account->used, bytes) + bytes <= account->limit)
        return true;
    atomic_fetch_sub(&account->used, bytes);
    return false;
}

static inline void account_return(struct account *account, size_t bytes)
{
    if (account)
        atomic_fetch_sub(&account->used, bytes);
}

#endif
