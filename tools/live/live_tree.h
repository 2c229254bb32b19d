/* What people see of a UI tree: its nodes, and what a tap would be called. */
#ifndef TOOLS_LIVE_LIVE_TREE_H
#define TOOLS_LIVE_LIVE_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define LIVE_TREE_XML_MAX ((size_t)16 << 20)

/* More nodes are left out. */
#define LIVE_TREE_NODES_MAX 5000

/*
 * Append the nodes of a dump that have an area, as JSON: see phone_view_send.
 * Fails as tree_read, and with ERR_LIMIT beyond json's limit.
 */
MUST_USE bool live_tree_list(const struct buf *xml, struct buf *json,
                             struct err *err);

struct node_selector;
struct tree;

/*
 * The selector of what is shown at (x, y), such as the second line of a row, or
 * of what a tap there would touch if that shows nothing; the caller releases
 * it. words: what it is called. Fails with ERR_NOT_FOUND if there is nothing.
 */
MUST_USE bool live_tree_select(const struct tree *tree, int x, int y,
                               struct node_selector *selector, char *words,
                               size_t size, struct err *err);

/*
 * The text that is shown at (x, y), or else the description of what is there.
 * Borrowed from the tree. Fails with ERR_NOT_FOUND if there is neither, and
 * with ERR_INVALID for what was masked or blurred.
 */
MUST_USE bool live_tree_text(const struct tree *tree, int x, int y,
                             const char **text, struct err *err);

/* Append what a tap at (x, y) would be called, as JSON. Fails the same way. */
MUST_USE bool live_tree_describe(const struct buf *xml, int x, int y,
                                 struct buf *json, struct err *err);

#endif
