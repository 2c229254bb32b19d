#include "process_provider/tree/tree_texts.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define SLOTS_FIRST 1024

void tree_texts_init(struct tree_texts *texts)
{
    *texts = (struct tree_texts){.slot_count = SLOTS_FIRST};
    texts->slots = mem_new(texts->slot_count, sizeof(*texts->slots));
}

void tree_texts_release(struct tree_texts *texts)
{
    free(texts->bytes);
    free((void *)texts->slots);
    *texts = (struct tree_texts){.bytes = NULL};
}

void tree_texts_clear(struct tree_texts *texts, size_t dump_length)
{
    texts->used = 0;
    texts->filled = 0;
    memset((void *)texts->slots, 0, texts->slot_count * sizeof(*texts->slots));
    if (texts->capacity <= dump_length) {
        texts->capacity = dump_length + dump_length / 2 + 4096;
        free(texts->bytes);
        texts->bytes = mem_new(texts->capacity, 1);
    }
}

static size_t hash_text(const char *text, size_t length)
{
    uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t word;

    for (; length >= sizeof(word);
         text += sizeof(word), length -= sizeof(word)) {
        memcpy(&word, text, sizeof(word));
        hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, text, length);
    hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
    return (size_t)(hash ^ hash >> 32);
}

static bool text_is(const char *text, const char *other, size_t length)
{
    return !strncmp(text, other, length) && !text[length];
}

static void grow_slots(struct tree_texts *texts)
{
    const char **old = texts->slots;
    size_t old_count = texts->slot_count;

    texts->slot_count = old_count * 2;
    texts->slots = mem_new(texts->slot_count, sizeof(*texts->slots));
    for (size_t i = 0; i < old_count; i++) {
        size_t at;

        if (!old[i])
            continue;
        at = hash_text(old[i], strlen(old[i])) & (texts->slot_count - 1);
        while (texts->slots[at])
            at = (at + 1) & (texts->slot_count - 1);
        texts->slots[at] = old[i];
    }
    free((void *)old);
}

const char *tree_texts_share(struct tree_texts *texts, const char *text,
                             size_t length)
{
    size_t at;
    char *copy;

    if (!length)
        return "";
    if (texts->filled * 2 >= texts->slot_count)
        grow_slots(texts);
    at = hash_text(text, length) & (texts->slot_count - 1);
    for (; texts->slots[at]; at = (at + 1) & (texts->slot_count - 1)) {
        if (text_is(texts->slots[at], text, length))
            return texts->slots[at];
    }
    copy = texts->bytes + texts->used;
    memcpy(copy, text, length);
    copy[length] = '\0';
    texts->used += length + 1;
    texts->slots[at] = copy;
    texts->filled++;
    return copy;
}
