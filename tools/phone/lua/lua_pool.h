/*
 * Memory for one Lua state. Apps make thousands of small objects per screen;
 * Lua says how large each one is when it frees it, so blocks need no header and
 * free ones of a size wait in a list.
 *
 * Not for several threads at once.
 */
#ifndef TOOLS_PHONE_LUA_LUA_POOL_H
#define TOOLS_PHONE_LUA_LUA_POOL_H

#include <stddef.h>

#define LUA_POOL_UNIT 16
#define LUA_POOL_BLOCK_MAX 512 /* larger blocks are malloc's */

struct lua_pool_block {
    struct lua_pool_block *next;
};

struct lua_pool {
    struct lua_pool_block
        *free[LUA_POOL_BLOCK_MAX / LUA_POOL_UNIT]; /* by size */
    struct lua_pool_block *chunks;                 /* owned */
    char *fresh; /* the unused rest of the first chunk */
    size_t fresh_size;
};

/* All zero is an empty pool. */
void lua_pool_release(struct lua_pool *pool);

/*
 * Resize a block of old_size bytes, and return it, perhaps elsewhere; block is
 * NULL for a new one, with any old_size, and size is 0 to free it: then NULL is
 * returned.
 */
void *lua_pool_resize(struct lua_pool *pool, void *block, size_t old_size,
                      size_t size);

#endif
