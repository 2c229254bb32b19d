/*
 * The texts of a tree, each kept once. They live until the next dump is read.
 */
#ifndef PROCESS_PROVIDER_TREE_TREE_TEXTS_H
#define PROCESS_PROVIDER_TREE_TREE_TEXTS_H

#include <stddef.h>

struct tree_texts {
    char *bytes; /* owned; all texts, NUL-ended */
    size_t used;
    size_t capacity;
    const char **slots; /* owned; texts by their hash */
    size_t slot_count;  /* a power of two */
    size_t filled;
};

void tree_texts_init(struct tree_texts *texts);
void tree_texts_release(struct tree_texts *texts);

/*
 * Forget all texts, and have room for those of a dump of this many bytes: each
 * stands between quotes there, so that there is room for its NUL.
 */
void tree_texts_clear(struct tree_texts *texts, size_t dump_length);

/* Our own copy of a text, the same for the same text. */
const char *tree_texts_share(struct tree_texts *texts, const char *text,
                             size_t length);

#endif
