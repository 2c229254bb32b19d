/* Which node of a UI tree is painted over which. */
#ifndef PROCESS_PROVIDER_TREE_PAINT_ORDER_H
#define PROCESS_PROVIDER_TREE_PAINT_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "process_provider/tree/tree.h"

/*
 * Write all nodes of tree into painted, the topmost first. ordered says that
 * nodes have a drawing order. Otherwise later nodes lie on top, but a window
 * lies on a larger one, and a view without children under others of its place.
 */
void paint_order(const struct tree *tree, bool ordered, uint32_t *painted);

#endif
