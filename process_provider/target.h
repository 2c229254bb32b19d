/* What lies under a finger. */
#ifndef PROCESS_PROVIDER_TARGET_H
#define PROCESS_PROVIDER_TARGET_H

#include "process_provider/tree.h"

enum target_kind {
    TARGET_NOTHING, /* an empty place, or outside of everything */
    TARGET_TEXT,    /* something to see, but nothing that takes taps */
    TARGET_CONTROL, /* something that takes taps */
};

struct target {
    enum target_kind kind;
    uint32_t node; /* TREE_NONE when nothing is there */
};

/*
 * What a tap at (x, y) reaches: the topmost node that takes taps, as Android
 * hands touches down. Where that is only the background, what is to be seen
 * at the point counts.
 */
struct target target_at(const struct tree *tree, int x, int y);

/* The smallest clickable node around the point, as in the paper; or none. */
uint32_t target_smallest(const struct tree *tree, int x, int y);

/* The topmost node there that can be scrolled; or none. */
uint32_t target_scrollable(const struct tree *tree, int x, int y);

/* The text field that has the focus, or is the only one; or none. */
uint32_t target_field(const struct tree *tree);

#endif
