/*
 * The differences between two UI trees: nodes that appeared, vanished or
 * changed.
 *
 * Nodes match when class, id and texts are equal, wherever they moved; of the
 * remaining ones, when they have the same id or place. So a scrolled list
 * changes only at its ends, and by_scroll marks those changes.
 */
#ifndef PROCESS_PROVIDER_DIFF_TREE_DIFF_H
#define PROCESS_PROVIDER_DIFF_TREE_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "process_provider/tree/tree.h"

enum tree_change_kind {
    CHANGE_APPEARED,
    CHANGE_VANISHED,
    CHANGE_TEXT,     /* its text or description is another */
    CHANGE_CHECKED,  /* it was turned on or off */
    CHANGE_SELECTED, /* it was selected, or is no more */
    CHANGE_ENABLED,  /* it was enabled or disabled */
    CHANGE_KINDS,
};

struct tree_change {
    enum tree_change_kind kind;
    uint32_t before; /* TREE_NONE for what appeared */
    uint32_t after;  /* TREE_NONE for what vanished */
    bool by_scroll;  /* it only came into view, or left it */
};

struct tree_diff {
    struct tree_change *changes; /* owned; in the order of the screen */
    size_t count;
    uint32_t matched;   /* telling nodes that are on both screens */
    uint32_t of_before; /* telling nodes on each screen */
    uint32_t of_after;
    int32_t moved_x; /* how far the scrollable content has moved */
    int32_t moved_y;
};

#define TREE_DIFF_INIT                                                         \
    {                                                                          \
        .changes = NULL                                                        \
    }

void tree_diff_release(struct tree_diff *diff);

/* Compare two trees, which must live as long as diff is read. */
void tree_diff(const struct tree *before, const struct tree *after,
               struct tree_diff *diff);

#endif
