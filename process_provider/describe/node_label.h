/*
 * The name of a node: from its own text, from the texts inside it, from the
 * label of its row, or from its resource-id.
 */
#ifndef PROCESS_PROVIDER_DESCRIBE_NODE_LABEL_H
#define PROCESS_PROVIDER_DESCRIBE_NODE_LABEL_H

#include <stdbool.h>

#include "process_provider/text/phrase.h"
#include "process_provider/tree/tree.h"

/* Further texts of a control, besides its main one. */
#define NODE_LABEL_DETAILS 2

enum node_label_source {
    NODE_LABEL_NONE,   /* it has no name */
    NODE_LABEL_OWN,    /* its text, description or hint */
    NODE_LABEL_INSIDE, /* the main text inside its bounds */
    NODE_LABEL_TIED,   /* the label of its row or group, which has no other
                          control; or the number that a stepper changes */
    NODE_LABEL_ID,     /* its resource-id, in words */
};

struct node_label {
    enum node_label_source source;
    struct phrase name;
    struct phrase details[NODE_LABEL_DETAILS];
    unsigned detail_count;
    const char *sense; /* its effect on the named value: "to increase"; NULL */
};

/*
 * Name a node. The name is always the node's own: a text that only stands near
 * it is never taken for its name.
 */
void node_label_of(const struct tree *tree, uint32_t node,
                   struct node_label *label);

/* Is the main text inside a node its name? Then label is that. */
bool node_label_inside(const struct tree *tree, uint32_t node,
                       struct node_label *label);

/* The text nearest to a node, and where the node is, seen from that text. */
struct node_neighbour {
    struct phrase text;
    const char *side; /* "left of", "right of", "above", "below", "at" */
};

/* For a node without a name. False when there is no text near it. */
bool node_label_near(const struct tree *tree, uint32_t node,
                     struct node_neighbour *neighbour);

/* Is name only a kind of view, such as "Image" or "icon"? */
bool node_label_is_kind(const char *name);

/* Is a node the title of its group, by its resource-id? */
bool node_label_is_title(const struct tree_node *node);

/* The text of a node alone, without its surroundings; false for none. */
bool node_label_own(const struct tree_node *node, struct phrase *name);

#endif
