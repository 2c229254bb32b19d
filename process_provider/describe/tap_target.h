/* The element at a point of the screen. */
#ifndef PROCESS_PROVIDER_DESCRIBE_TAP_TARGET_H
#define PROCESS_PROVIDER_DESCRIBE_TAP_TARGET_H

#include "process_provider/tree/tree.h"

enum tap_target_kind {
    TAP_TARGET_NOTHING, /* an empty place, or outside of everything */
    TAP_TARGET_TEXT,    /* visible, but does not take taps */
    TAP_TARGET_CONTROL, /* something that takes taps */
};

struct tap_target {
    enum tap_target_kind kind;
    uint32_t node; /* TREE_NONE when there is no node */
};

/*
 * The node that a tap at (x, y) reaches: the topmost one that takes taps, as
 * Android dispatches touches. Where that is only the background, the visible
 * node at the point.
 */
struct tap_target tap_target_at(const struct tree *tree, int x, int y);

/* The smallest clickable node around the point, as in the paper; or none. */
uint32_t tap_target_smallest(const struct tree *tree, int x, int y);

/*
 * The smallest node at (x, y) with a text or a description, such as the second
 * line of a row, and not the row that a tap there reaches; or none.
 */
uint32_t tap_target_shown(const struct tree *tree, int x, int y);

/* The topmost node there that can be scrolled; or none. */
uint32_t tap_target_scrollable(const struct tree *tree, int x, int y);

/* The text field that has the focus, or is the only one; or none. */
uint32_t tap_target_field(const struct tree *tree);

#endif
