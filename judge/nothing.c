#include "judge/nothing.h"

#include "process_provider/tree_diff.h"

bool nothing_came_of(const struct dossier_step *step)
{
    struct tree_diff diff = TREE_DIFF_INIT;
    bool nothing;

    if (!step->before || !step->after)
        return false;
    /* Equal trees are one file. */
    if (step->before == step->after)
        return true;
    tree_diff(step->before, step->after, &diff);
    nothing = !diff.count && !diff.moved_x && !diff.moved_y;
    tree_diff_release(&diff);
    return nothing;
}
