/*
 * A limit for memory that several owners share: each counts what it allocates,
 * and together they never exceed the limit. Safe from any thread.
 */
#ifndef BASE_MEMORY_ACCOUNT_H
#define BASE_MEMORY_ACCOUNT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

struct memory_account {
    atomic_size_t used;
    size_t limit;
};

#define MEMORY_ACCOUNT_INIT(limit_)                                            \
    {                                                                          \
        .limit = (limit_)                                                      \
    }

/* False when that much is not left. NULL has no limit. */
MUST_USE static inline bool memory_account_take(
    struct memory_account *memory_account, size_t bytes)
{
    if (!memory_account ||
        atomic_fetch_add(&memory_account->used, bytes) + bytes <=
            memory_account->limit)
        return true;
    atomic_fetch_sub(&memory_account->used, bytes);
    return false;
}

static inline void memory_account_return(struct memory_account *memory_account,
                                         size_t bytes)
{
    if (memory_account)
        atomic_fetch_sub(&memory_account->used, bytes);
}

#endif
