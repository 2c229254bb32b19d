/*
 * A thing on the screen that has a state, and how it is known again on a later
 * screen: by its name, in its row, under the screen's title.
 */
#ifndef JUDGE_CONTROL_H
#define JUDGE_CONTROL_H

#include <stdbool.h>

#include "process_provider/phrase.h"
#include "process_provider/tree.h"
#include "tasks/check.h"

struct control {
    const char *class_name; /* borrowed from the tree, as id */
    const char *id;
    struct phrase name;
    struct phrase row;    /* "" when it is in none */
    struct phrase screen; /* "" when it has no title */
    bool checkable;       /* it, or the one thing in it, is to be checked */
    struct tree_rect bounds;
};

/* False for what has no name: it cannot be told from others. */
MUST_USE bool control_of(const struct tree *tree, uint32_t node,
                         struct control *control);

/* The same thing on another screen; TREE_NONE when it is not there. */
uint32_t control_find(const struct tree *tree, const struct control *control);

/*
 * What stands in its place on another screen, whatever it is called now;
 * TREE_NONE: nothing of the kind.
 */
uint32_t control_place(const struct tree *tree, const struct control *control);

/* Are both of one list, so that choosing one may be leaving the other? */
bool control_are_choices(const struct tree *tree, uint32_t a, uint32_t b);

/*
 * On (checked, or selected), off, or neither: what cannot be checked and is
 * not selected has no state that a tree would tell.
 */
enum check_state control_state(const struct tree *tree, uint32_t node);

/* The same of what can be checked alone. */
enum check_state control_checked(const struct tree *tree, uint32_t node);

/*
 * Do both trees show the same page, as far as their texts tell? For screens
 * that have no title.
 */
bool control_same_page(const struct tree *a, const struct tree *b);

#endif
