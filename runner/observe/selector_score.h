/* How well a node matches the anchors of a selector. */
#ifndef RUNNER_OBSERVE_SELECTOR_SCORE_H
#define RUNNER_OBSERVE_SELECTOR_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/extent.h"
#include "process_provider/tree/tree.h"
#include "tasks/task/node_selector.h"

enum selector_anchor {
    SELECTOR_ANCHOR_TEXT,
    SELECTOR_ANCHOR_DESCRIPTION,
    SELECTOR_ANCHOR_ID,
    SELECTOR_ANCHOR_CLASS,
    SELECTOR_ANCHOR_ROLE,
    SELECTOR_ANCHOR_PATH,
    SELECTOR_ANCHOR_POINT,
    SELECTOR_ANCHORS,
};

/* "text", "id", ... */
const char *selector_anchor_name(enum selector_anchor anchor);

struct selector_score {
    double total;                    /* from 0 to 1 */
    double grade[SELECTOR_ANCHORS];  /* how well each anchor matches */
    double weight[SELECTOR_ANCHORS]; /* 0: the selector does not have it */
};

/* Values that are computed once for all nodes of a tree. */
struct selector_scorer {
    const struct tree *tree;
    const struct node_selector *selector;
    struct extent screen;
    double weight[SELECTOR_ANCHORS];
    unsigned sharing; /* number of nodes with the selector's id */
    uint32_t at_path; /* the node at the selector's path */
};

/* False when the selector has no anchor for a tree. */
bool selector_scorer_init(struct selector_scorer *scorer,
                          const struct tree *tree,
                          const struct node_selector *selector,
                          struct extent screen);

void selector_score_node(const struct selector_scorer *scorer, uint32_t node,
                         struct selector_score *score);

#endif
