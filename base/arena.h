/* An allocator for many small objects that are freed together. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/macros.h"
#include "base/memory_account.h"

struct arena_block;

struct arena {
    struct arena_block *blocks; /* owned; the newest first */
    size_t used;                /* allocated bytes in all blocks */
    size_t limit;
    struct memory_account
        *memory_account; /* pays for the blocks; may be NULL */
};

#define ARENA_INIT(limit_, account_)                                           \
    {                                                                          \
        .limit = (limit_), .memory_account = (account_)                        \
    }

/* Zeroed memory, aligned for anything; NULL beyond the limits. */
MUST_USE void *arena_new(struct arena *arena, size_t size);

/* A copy of length bytes, and a NUL behind them; NULL beyond the limits. */
MUST_USE char *arena_text(struct arena *arena, const char *text, size_t length);

void arena_release(struct arena *arena);

#endif
