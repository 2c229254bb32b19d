#include "tools/phone/graphics/text_size_cache.h"

#include <string.h>

#define MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)

static uint64_t mix(uint64_t key, uint64_t part)
{
    key = (key ^ part) * MULTIPLIER;
    return key ^ key >> 29U;
}

uint64_t text_size_key(const char *text, size_t length, uint64_t font,
                       uint64_t room)
{
    uint64_t key = mix(mix(mix(MULTIPLIER, length), font), room);
    uint64_t part;

    for (; length >= sizeof(part); length -= sizeof(part)) {
        memcpy(&part, text, sizeof(part));
        key = mix(key, part);
        text += sizeof(part);
    }
    part = 0;
    memcpy(&part, text, length);
    key = mix(mix(key, part), 0);
    return key ? key : 1; /* 0 is the key of an empty slot */
}

bool text_size_cache_find(struct text_size_cache *cache, uint64_t key,
                          uint64_t *value)
{
    size_t slot = key % TEXT_SIZE_CACHE_SLOTS;
    uint64_t check =
        atomic_load_explicit(&cache->slots[slot].check, memory_order_relaxed);
    uint64_t found =
        atomic_load_explicit(&cache->slots[slot].value, memory_order_relaxed);

    if ((check ^ found) != key)
        return false;
    *value = found;
    return true;
}

void text_size_cache_put(struct text_size_cache *cache, uint64_t key,
                         uint64_t value)
{
    size_t slot = key % TEXT_SIZE_CACHE_SLOTS;

    atomic_store_explicit(&cache->slots[slot].check, key ^ value,
                          memory_order_relaxed);
    atomic_store_explicit(&cache->slots[slot].value, value,
                          memory_order_relaxed);
}
