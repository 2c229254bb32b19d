/* Did a typed text arrive in its field? Decided from the trees of two screens.
 */
#ifndef PROCESS_PROVIDER_DESCRIBE_TYPED_TEXT_H
#define PROCESS_PROVIDER_DESCRIBE_TYPED_TEXT_H

#include "process_provider/tree/tree.h"
#include "tasks/task/action.h"

/* Is it the same field, on the tree before a step and on that after it? */
bool typed_text_same_field(const struct tree_node *a,
                           const struct tree_node *b);

/*
 * The field in after that should hold the text of a TYPE action, and does not.
 * NULL: it holds the text, or the trees cannot tell. They cannot where a tree
 * is missing (NULL), the focused field was not there before, hides its text,
 * or Enter followed the text, which may clear the field.
 */
const struct tree_node *typed_text_missing(const struct action *action,
                                           const struct tree *before,
                                           const struct tree *after);

#endif
