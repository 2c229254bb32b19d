#include "tools/phone/lua/lua_pool.h"

/* Blocks that are not in use are poisoned, so that ASan finds uses of them. */
#include <sanitizer/asan_interface.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define CHUNK_SIZE ((size_t)32 * 1024)

static size_t class_of(size_t size)
{
    return (size - 1) / LUA_POOL_UNIT;
}

static size_t class_size(size_t index)
{
    return (index + 1) * LUA_POOL_UNIT;
}

static bool is_pooled(size_t size)
{
    return size <= LUA_POOL_BLOCK_MAX;
}

/* The rest of the chunk before is left: less than the largest block. */
static void add_chunk(struct lua_pool *pool)
{
    struct lua_pool_block *chunk = mem_new(1, CHUNK_SIZE);

    chunk->next = pool->chunks;
    pool->chunks = chunk;
    pool->fresh = (char *)chunk + LUA_POOL_UNIT;
    pool->fresh_size = CHUNK_SIZE - LUA_POOL_UNIT;
    ASAN_POISON_MEMORY_REGION(pool->fresh, pool->fresh_size);
}

static void *take_fresh(struct lua_pool *pool, size_t size)
{
    char *block;

    if (pool->fresh_size < size)
        add_chunk(pool);
    block = pool->fresh;
    pool->fresh += size;
    pool->fresh_size -= size;
    return block;
}

static void *take(struct lua_pool *pool, size_t size)
{
    size_t index = class_of(size);
    struct lua_pool_block *block = pool->free[index];

    if (block) {
        ASAN_UNPOISON_MEMORY_REGION(block, sizeof(*block));
        pool->free[index] = block->next;
    } else {
        block = take_fresh(pool, class_size(index));
    }
    ASAN_UNPOISON_MEMORY_REGION(block, size);
    return block;
}

static void give_back(struct lua_pool *pool, void *block, size_t size)
{
    struct lua_pool_block *freed = block;
    size_t index = class_of(size);

    ASAN_UNPOISON_MEMORY_REGION(freed, sizeof(*freed));
    freed->next = pool->free[index];
    pool->free[index] = freed;
    ASAN_POISON_MEMORY_REGION(freed, class_size(index));
}

static void *new_block(struct lua_pool *pool, size_t size)
{
    return is_pooled(size) ? take(pool, size) : mem_resize(NULL, 1, size);
}

static void free_block(struct lua_pool *pool, void *block, size_t size)
{
    if (is_pooled(size))
        give_back(pool, block, size);
    else
        free(block);
}

static void *move_block(struct lua_pool *pool, void *block, size_t old_size,
                        size_t size)
{
    void *moved = new_block(pool, size);

    memcpy(moved, block, old_size < size ? old_size : size);
    free_block(pool, block, old_size);
    return moved;
}

void *lua_pool_resize(struct lua_pool *pool, void *block, size_t old_size,
                      size_t size)
{
    if (!block)
        return size ? new_block(pool, size) : NULL;
    if (!size) {
        free_block(pool, block, old_size);
        return NULL;
    }
    if (!is_pooled(old_size) && !is_pooled(size))
        return mem_resize(block, 1, size);
    return move_block(pool, block, old_size, size);
}

void lua_pool_release(struct lua_pool *pool)
{
    while (pool->chunks) {
        struct lua_pool_block *chunk = pool->chunks;

        pool->chunks = chunk->next;
        ASAN_UNPOISON_MEMORY_REGION(chunk, CHUNK_SIZE);
        free(chunk);
    }
}
