/*
 * What a node is called: by itself, by what is in it, by what stands next to
 * it, or by its resource-id.
 */
#ifndef PROCESS_PROVIDER_LABEL_H
#define PROCESS_PROVIDER_LABEL_H

#include <stdbool.h>

#include "process_provider/phrase.h"
#include "process_provider/tree.h"

/* Further texts that belong to a thing, besides its main one. */
#define LABEL_DETAILS 2

enum label_source {
    LABEL_NONE,   /* it has no name */
    LABEL_OWN,    /* its text, description or hint */
    LABEL_INSIDE, /* the main text of what is in it */
    LABEL_NEAR,   /* a text beside, below or above it */
    LABEL_ID,     /* its resource-id, in words */
};

struct label {
    enum label_source source;
    struct phrase name;
    struct phrase details[LABEL_DETAILS];
    unsigned detail_count;
    const char *sense; /* what it does to what is named: "to increase"; NULL */
};

/* Name a node. */
void label_node(const struct tree *tree, uint32_t node, struct label *label);

/* Is that what every thing of a kind is called: "Image", "icon"? */
bool label_is_kind(const char *name);

/* The text of a node itself, without its surroundings; false for none. */
bool label_own(const struct tree_node *node, struct phrase *name);

#endif
