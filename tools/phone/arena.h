/* Small things that are made one by one and freed all at once. */
#ifndef PHONE_ARENA_H
#define PHONE_ARENA_H

#include <stddef.h>

#include "base/macros.h"
#include "tools/phone/account.h"

struct arena_block;

struct arena {
    struct arena_block *blocks; /* owned; the newest first */
    size_t used;                /* bytes given out, of all blocks */
    size_t limit;
    struct account *account; /* pays for the blocks; may be NULL */
};

#define ARENA_INIT(limit_, account_)                                           \
    {                                                                          \
        .limit = (limit_), .account = (account_)                               \
    }

/* Zeroed memory, aligned for anything; NULL beyond the limits. */
MUST_USE void *arena_new(struct arena *arena, size_t size);

/* A copy of length bytes, and a NUL behind them; NULL beyond the limits. */
MUST_USE char *arena_text(struct arena *arena, const char *text, size_t length);

void arena_release(struct arena *arena);

#endif
