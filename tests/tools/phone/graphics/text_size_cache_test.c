#include "tools/phone/graphics/text_size_cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int new_cache(void **state)
{
    *state = calloc(1, sizeof(struct text_size_cache));
    return *state ? 0 : -1;
}

static int free_cache(void **state)
{
    free(*state);
    return 0;
}

static uint64_t key_of(const char *text, uint64_t font, uint64_t room)
{
    return text_size_key(text, strlen(text), font, room);
}

static void a_size_is_found_again(void **state)
{
    uint64_t key = key_of("Settings", 1, 100);
    uint64_t value = 0;

    assert_false(text_size_cache_find(*state, key, &value));
    text_size_cache_put(*state, key, 77);
    assert_true(text_size_cache_find(*state, key, &value));
    assert_int_equal(value, 77);
}

static void keys_depend_on_everything(void **state)
{
    const uint64_t keys[] = {
        key_of("", 1, 100),
        key_of("Settings", 1, 100),
        key_of("settings", 1, 100),
        key_of("Settings ", 1, 100),
        key_of("Settings", 2, 100),
        key_of("Settings", 1, 101),
        key_of("Settings 12", 1, 1),
        key_of("Settings 21", 1, 1),
        key_of("12345678abcdefgh", 1, 1),
        key_of("abcdefgh12345678", 1, 1),
    };

    (void)state;
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        for (size_t k = 0; k < i; k++)
            assert_true(keys[i] != keys[k]);
    }
}

static void what_takes_its_place_replaces_a_size(void **state)
{
    uint64_t key = 5;
    uint64_t value = 0;

    text_size_cache_put(*state, key, 1);
    text_size_cache_put(*state, key + TEXT_SIZE_CACHE_SLOTS, 2);
    assert_false(text_size_cache_find(*state, key, &value));
    assert_true(
        text_size_cache_find(*state, key + TEXT_SIZE_CACHE_SLOTS, &value));
    assert_int_equal(value, 2);
}

/* Another thread may be between its two stores. */
static void half_an_entry_is_not_found(void **state)
{
    struct text_size_cache *cache = *state;
    uint64_t value = 0;

    text_size_cache_put(cache, 5, 1);
    atomic_store(&cache->slots[5].value, 3);
    assert_false(text_size_cache_find(cache, 5, &value));
}

#define WITH_CACHE(test_)                                                      \
    cmocka_unit_test_setup_teardown(test_, new_cache, free_cache)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_CACHE(a_size_is_found_again),
        cmocka_unit_test(keys_depend_on_everything),
        WITH_CACHE(what_takes_its_place_replaces_a_size),
        WITH_CACHE(half_an_entry_is_not_found),
    };

    return cmocka_run_group_tests_name("text_size_cache", tests, NULL, NULL);
}
