/*
 * A UI tree: what was on the screen, as Android's accessibility has it.
 *
 * Nodes stand in the order of the dump, each before its children, so that
 * the descendants of node i are those from i + 1 to its end. All texts lie in
 * one block and equal ones are shared; both belong to the tree, which keeps
 * its memory when it reads the next dump.
 *
 *     struct tree tree = TREE_INIT;
 *
 *     if (!tree_read(&tree, bytes, length, err))
 *         return false;
 *     for (uint32_t i = 0; i < tree.count; i++)
 *         puts(tree.nodes[i].text);
 *     tree_release(&tree);
 */
#ifndef PROCESS_PROVIDER_TREE_TREE_H
#define PROCESS_PROVIDER_TREE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "process_provider/tree/role.h"
#include "process_provider/tree/tree_repair.h"

#define TREE_NODES_MAX 200000U
#define TREE_NONE UINT32_MAX /* no node */

/* The pixels from (left, top) up to but without (right, bottom). */
struct tree_rect {
    int32_t left;
    int32_t top;
    int32_t right;
    int32_t bottom;
};

enum tree_flag {
    NODE_CHECKABLE = 1 << 0,
    NODE_CHECKED = 1 << 1,
    NODE_CLICKABLE = 1 << 2,
    NODE_DISABLED = 1 << 3,
    NODE_FOCUSABLE = 1 << 4,
    NODE_FOCUSED = 1 << 5,
    NODE_SCROLLABLE = 1 << 6,
    NODE_LONG_CLICKABLE = 1 << 7,
    NODE_PASSWORD = 1 << 8,
    NODE_SELECTED = 1 << 9,
    NODE_INVISIBLE = 1 << 10, /* visible-to-user or displayed is false */
};

/* The texts are never NULL. */
struct tree_node {
    const char *text;
    const char *description; /* content-desc */
    const char *id;          /* resource-id, as the dump has it */
    const char *class_name;
    const char *package;
    const char *hint;
    struct tree_rect bounds;
    uint32_t parent; /* TREE_NONE at a root */
    uint32_t end;    /* the first node behind its descendants */
    uint16_t flags;  /* of enum tree_flag */
    bool takes_taps; /* it reacts to taps, as far as the dump tells */
    enum role role;
    int32_t order;   /* drawing-order among its siblings; 0: not given */
    uint32_t window; /* 0, or of --windows the place in the dump */
};

/* One window of "uiautomator dump --windows"; higher layers are on top. */
struct tree_window {
    const char *title;
    int32_t layer;
};

struct tree_store;

struct tree {
    struct tree_node *nodes; /* owned */
    uint32_t count;
    int32_t rotation; /* in quarter turns; -1: not given */
    struct tree_repairs repairs;
    struct tree_window
        *windows; /* owned; [0] is used where the dump has no windows */
    uint32_t window_count;
    struct tree_store *store; /* owned; the texts, and memory that is reused */
    uint32_t *painted;        /* owned; nodes with an area, topmost first */
    struct tree_rect *areas;  /* owned; theirs, in the same order */
    uint32_t painted_count;
    struct tree_rect screen; /* what all roots cover together */
};

#define TREE_INIT                                                              \
    {                                                                          \
        .nodes = NULL                                                          \
    }

void tree_release(struct tree *tree);

/*
 * Read a dump, repaired if necessary: tree->repairs counts the repairs. Both
 * <node> elements and elements named by class are understood.
 *
 * Fails with ERR_LIMIT when it is too large, too deep or has too many nodes,
 * and with ERR_INVALID when there is no tree in it. Then tree is empty.
 */
MUST_USE bool tree_read(struct tree *tree, const char *bytes, size_t length,
                        struct err *err);

/* The same from a file. */
MUST_USE bool tree_load(struct tree *tree, const char *path, struct err *err);

static inline int64_t rect_area(const struct tree_rect *rect)
{
    return rect->right > rect->left && rect->bottom > rect->top
               ? (int64_t)(rect->right - rect->left) *
                     (rect->bottom - rect->top)
               : 0;
}

static inline bool rect_holds(const struct tree_rect *rect, int x, int y)
{
    return x >= rect->left && x < rect->right && y >= rect->top &&
           y < rect->bottom;
}

/*
 * The next node at (x, y), from the topmost down. *place starts as 0.
 * TREE_NONE when there are no more.
 */
uint32_t tree_next_at(const struct tree *tree, int x, int y, uint32_t *place);

/* What all roots cover together. */
static inline struct tree_rect tree_screen(const struct tree *tree)
{
    return tree->screen;
}

/* Is node a descendant of ancestor, or ancestor itself? */
static inline bool tree_within(const struct tree *tree, uint32_t ancestor,
                               uint32_t node)
{
    return node >= ancestor && node < tree->nodes[ancestor].end;
}

#endif
