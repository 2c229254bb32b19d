/*
 * A control with a state, and how it is found again on a later screen: by its
 * name, in its row, under the screen's title.
 */
#ifndef JUDGE_EVIDENCE_SCREEN_CONTROL_H
#define JUDGE_EVIDENCE_SCREEN_CONTROL_H

#include <stdbool.h>

#include "process_provider/text/phrase.h"
#include "process_provider/tree/tree.h"
#include "tasks/task/episode_check.h"

struct screen_control {
    const char *class_name; /* borrowed from the tree, as id */
    const char *id;
    struct phrase name;
    struct phrase row;    /* "" when it is in no row */
    struct phrase screen; /* "" when it has no title */
    bool checkable; /* it, or the only control inside it, can be checked */
    struct tree_rect bounds;
};

/* False for a node without a name: it cannot be identified. */
MUST_USE bool screen_control_of(const struct tree *tree, uint32_t node,
                                struct screen_control *control);

/* The same control on another screen; TREE_NONE if it is not there. */
uint32_t screen_control_find(const struct tree *tree,
                             const struct screen_control *control);

/*
 * The control at its position on another screen, whatever its name is now;
 * TREE_NONE: none of the same kind.
 */
uint32_t screen_control_place(const struct tree *tree,
                              const struct screen_control *control);

/* The row of a list that a node is part of; the node itself if it is in none.
 */
uint32_t screen_control_row(const struct tree *tree, uint32_t node);

/* Are both options of one list, so that choosing one may deselect the other? */
bool screen_control_are_choices(const struct tree *tree, uint32_t a,
                                uint32_t b);

/*
 * On (checked, or selected), off, or neither: a node that cannot be checked and
 * is not selected has no known state.
 */
enum tri_state screen_control_state(const struct tree *tree, uint32_t node);

/* The same, only for nodes that can be checked. */
enum tri_state screen_control_checked(const struct tree *tree, uint32_t node);

/*
 * Do both trees show the same page, judging by their texts? For screens without
 * a title.
 */
bool screen_control_same_page(const struct tree *a, const struct tree *b);

#endif
