#include "tools/phone/lua/lua_pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SLOTS 300
#define CHANGES 200000

struct slot {
    unsigned char *data;
    size_t size;
};

/* A sequence that looks random and is always the same. */
static unsigned next_number(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(*state >> 33);
}

static void expect_content(const struct slot *slot, unsigned char value,
                           size_t size)
{
    for (size_t i = 0; i < size; i++)
        assert_int_equal(slot->data[i], value);
}

static void change(struct lua_pool *pool, struct slot *slot,
                   unsigned char value, size_t size)
{
    size_t kept = size < slot->size ? size : slot->size;

    expect_content(slot, value, slot->size);
    slot->data = lua_pool_resize(pool, slot->data, slot->size, size);
    slot->size = size;
    if (!size) {
        assert_null(slot->data);
        return;
    }
    assert_int_equal((uintptr_t)slot->data % _Alignof(max_align_t), 0);
    expect_content(slot, value, kept);
    memset(slot->data, value, size);
}

static void blocks_keep_their_content_and_never_overlap(void **state)
{
    struct lua_pool pool = {.chunks = NULL};
    struct slot slots[SLOTS] = {{NULL, 0}};
    uint64_t random = 1;

    (void)state;
    for (int i = 0; i < CHANGES; i++) {
        size_t slot = next_number(&random) % SLOTS;
        size_t most = next_number(&random) % 8 ? 96 : 1500;

        change(&pool, &slots[slot], (unsigned char)slot,
               next_number(&random) % most);
    }
    for (size_t i = 0; i < SLOTS; i++)
        change(&pool, &slots[i], (unsigned char)i, 0);
    lua_pool_release(&pool);
}

static void a_freed_block_is_used_again(void **state)
{
    struct lua_pool pool = {.chunks = NULL};
    void *first = lua_pool_resize(&pool, NULL, 0, 40);
    void *second;

    (void)state;
    assert_null(lua_pool_resize(&pool, first, 40, 0));
    second = lua_pool_resize(&pool, NULL, 0, 33);
    assert_ptr_equal(second, first);
    lua_pool_release(&pool);
}

/* Lua tells the type of a new object in place of its size. */
static void the_old_size_of_a_new_block_is_ignored(void **state)
{
    struct lua_pool pool = {.chunks = NULL};
    void *block = lua_pool_resize(&pool, NULL, LUA_POOL_BLOCK_MAX + 1, 16);

    (void)state;
    assert_non_null(block);
    assert_null(lua_pool_resize(&pool, NULL, 5, 0));
    lua_pool_release(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_keep_their_content_and_never_overlap),
        cmocka_unit_test(a_freed_block_is_used_again),
        cmocka_unit_test(the_old_size_of_a_new_block_is_ignored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
