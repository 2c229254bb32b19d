/*
 * Sizes of texts that were measured. Layout asks for the same ones for every
 * screen, from the threads of all phones: an entry is two numbers, which need
 * no lock.
 */
#ifndef TOOLS_PHONE_GRAPHICS_TEXT_SIZE_CACHE_H
#define TOOLS_PHONE_GRAPHICS_TEXT_SIZE_CACHE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEXT_SIZE_CACHE_SLOTS 16384U

/* Zeroed: nothing was measured. */
struct text_size_cache {
    struct {
        /* The key xor the value: a half-written entry has another key. */
        _Atomic uint64_t check;
        _Atomic uint64_t value;
    } slots[TEXT_SIZE_CACHE_SLOTS];
};

/* A key of text with length bytes, and of what else its size depends on. */
uint64_t text_size_key(const char *text, size_t length, uint64_t font,
                       uint64_t room);

/* The value that was put for key; false: it is not known. */
bool text_size_cache_find(struct text_size_cache *cache, uint64_t key,
                          uint64_t *value);

/* Replaces what has the same place. */
void text_size_cache_put(struct text_size_cache *cache, uint64_t key,
                         uint64_t value);

#endif
