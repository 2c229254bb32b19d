/* What a tree keeps from one dump to the next, and how dumps become trees. */
#ifndef PROCESS_PROVIDER_TREE_TREE_PRIVATE_H
#define PROCESS_PROVIDER_TREE_TREE_PRIVATE_H

#include <libxml/parser.h>

#include "process_provider/tree/tree.h"
#include "process_provider/tree/tree_texts.h"

struct tree_store {
    xmlParserCtxtPtr parser; /* owned */
    struct tree_texts texts;
    struct buf repaired;
    uint32_t node_capacity;
    uint32_t painted_capacity;
    uint32_t window_capacity;
    bool is_ordered; /* nodes have a drawing order */
};

/* Forget the last dump, and have room for the texts of one of that length. */
void tree_empty(struct tree *tree, size_t length);

/*
 * Read XML that may be malformed: then *sound is false, and the tree holds the
 * nodes before the error. Returns false when the dump must be refused.
 */
MUST_USE bool tree_build(struct tree *tree, const char *xml, size_t length,
                         bool *sound, struct err *err);

#endif
