/* Where something is: in which row, under which heading, on which screen. */
#ifndef PROCESS_PROVIDER_DESCRIBE_NODE_CONTEXT_H
#define PROCESS_PROVIDER_DESCRIBE_NODE_CONTEXT_H

#include <stdbool.h>

#include "process_provider/text/phrase.h"
#include "process_provider/tree/tree.h"

/* The row (or cell) of a list that a node is, or is part of. */
struct node_context_row {
    uint32_t node;     /* TREE_NONE when it is in no list */
    uint32_t list;     /* the row's parent */
    bool is_list;      /* it is called one, or only looks like one */
    unsigned position; /* among the rows that are shown, from 1 */
    unsigned shown;    /* how many those are */
};

struct node_context_row node_context_row(const struct tree *tree,
                                         uint32_t node);

/*
 * What a row is about, for a node that is only a part of it: a text above the
 * node or beside it that belongs to no other control of the row. False when the
 * row has none.
 */
bool node_context_row_title(const struct tree *tree, uint32_t row,
                            uint32_t node, struct phrase *title);

/* Where a node stands among siblings of its kind and size. */
struct node_context_cell {
    unsigned row; /* from 1 */
    unsigned column;
    unsigned rows; /* 1 and 1: it stands alone */
    unsigned columns;
};

struct node_context_cell node_context_cell(const struct tree *tree,
                                           uint32_t node);

/* The title of the web page that node is on; false when there is none. */
bool node_context_page(const struct tree *tree, uint32_t node,
                       struct phrase *title);

/* The heading right above the section of a node; false when there is none. */
bool node_context_heading(const struct tree *tree, uint32_t node,
                          struct phrase *heading);

/* Does a window or dialog smaller than the screen hold the node? */
bool node_context_is_dialog(const struct tree *tree, uint32_t node);

/* The title of the screen; false when it has none. */
bool node_context_screen(const struct tree *tree, struct phrase *title);

/* The app that node is of, or with TREE_NONE the one on the screen. */
bool node_context_app(const struct tree *tree, uint32_t node,
                      struct phrase *app);

/* Does the screen, or the given list on it, show search results? */
bool node_context_is_search(const struct tree *tree, uint32_t list);

#endif
