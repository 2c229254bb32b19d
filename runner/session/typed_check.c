#include "runner/session/typed_check.h"

#include <stdio.h>

#include "base/mem.h"
#include "process_provider/describe/typed_text.h"
#include "process_provider/text/phrase.h"

void typed_check_release(struct typed_check *check)
{
    action_release(&check->action);
    tree_release(&check->before);
    *check = (struct typed_check){.due = false};
}

void typed_check_begin(struct typed_check *check, const struct action *action,
                       struct observation *seen)
{
    typed_check_release(check);
    if (action->kind != ACTION_TYPE || action->submit || !action->text ||
        !seen->has_tree)
        return;
    check->due = true;
    check->action = *action;
    check->action.text = mem_dup(action->text);
    check->before = seen->tree;
    seen->tree = (struct tree)TREE_INIT;
    seen->has_tree = false;
}

bool typed_check_end(struct typed_check *check, const struct observation *seen,
                     char why[TYPED_CHECK_WHY_MAX])
{
    const struct tree_node *field = NULL;
    struct phrase shown;

    if (check->due && seen->has_tree && !seen->changed)
        field = typed_text_missing(&check->action, &check->before, &seen->tree);
    typed_check_release(check);
    if (!field)
        return false;
    if (phrase_clean(field->text, &shown))
        snprintf(why, TYPED_CHECK_WHY_MAX,
                 "the text did not arrive: the field shows '%.120s'",
                 shown.text);
    else
        snprintf(why, TYPED_CHECK_WHY_MAX,
                 "the text did not arrive: the field is empty");
    return true;
}
