/* Where something is: in which row, under which heading, on which screen. */
#ifndef PROCESS_PROVIDER_PLACE_H
#define PROCESS_PROVIDER_PLACE_H

#include <stdbool.h>

#include "process_provider/phrase.h"
#include "process_provider/tree.h"

/* The row (or cell) of a list that a node is, or is part of. */
struct place_row {
    uint32_t node;     /* TREE_NONE when it is in no list */
    uint32_t list;     /* the row's parent */
    bool is_list;      /* it is called one, or only looks like one */
    unsigned position; /* among the rows that are shown, from 1 */
    unsigned shown;    /* how many those are */
};

struct place_row place_row(const struct tree *tree, uint32_t node);

/* Where a node stands among siblings of its kind and size. */
struct place_cell {
    unsigned row; /* from 1 */
    unsigned column;
    unsigned rows; /* 1 and 1: it stands alone */
    unsigned columns;
};

struct place_cell place_cell(const struct tree *tree, uint32_t node);

/* The title of the web page that node is on; false when there is none. */
bool place_page(const struct tree *tree, uint32_t node, struct phrase *title);

/* The heading right above what node is in; false when there is none. */
bool place_heading(const struct tree *tree, uint32_t node,
                   struct phrase *heading);

/* Does a window or dialog smaller than the screen hold the node? */
bool place_is_dialog(const struct tree *tree, uint32_t node);

/* The title of the screen; false when it has none. */
bool place_screen(const struct tree *tree, struct phrase *title);

/* The app that node is of, or with TREE_NONE the one on the screen. */
bool place_app(const struct tree *tree, uint32_t node, struct phrase *app);

/* Does the screen, or that list on it, show what was searched for? */
bool place_is_search(const struct tree *tree, uint32_t list);

#endif
