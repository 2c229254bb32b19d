#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define BLOCK_SIZE ((size_t)4000)

struct arena_block {
    struct arena_block *next;
    size_t used;
    size_t size;
    alignas(max_align_t) char data[];
};

static struct arena_block *block_new(struct arena *arena, size_t size)
{
    size_t room = size < BLOCK_SIZE ? BLOCK_SIZE : size;
    struct arena_block *block;

    if (!memory_account_take(arena->memory_account, sizeof(*block) + room))
        return NULL;
    block = mem_resize(NULL, 1, sizeof(*block) + room);
    block->used = 0;
    block->size = room;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

void *arena_new(struct arena *arena, size_t size)
{
    const size_t grain = alignof(max_align_t);
    struct arena_block *block = arena->blocks;
    size_t rounded = (size + grain - 1) / grain * grain;
    void *made;

    if (size > arena->limit || rounded > arena->limit - arena->used)
        return NULL;
    if (!block || block->size - block->used < rounded)
        block = block_new(arena, rounded);
    if (!block)
        return NULL;
    made = block->data + block->used;
    block->used += rounded;
    arena->used += rounded;
    memset(made, 0, rounded);
    return made;
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_new(arena, length + 1);

    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

void arena_release(struct arena *arena)
{
    while (arena->blocks) {
        struct arena_block *block = arena->blocks;

        arena->blocks = block->next;
        memory_account_return(arena->memory_account,
                              sizeof(*block) + block->size);
        free(block);
    }
    arena->used = 0;
}
