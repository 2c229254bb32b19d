#include "judge/evidence/no_effect.h"

#include "process_provider/diff/tree_diff.h"

bool no_effect(const struct episode_evidence_step *step)
{
    struct tree_diff diff = TREE_DIFF_INIT;
    bool nothing;

    if (!step->before || !step->after)
        return false;
    /* Equal trees share one file. */
    if (step->before == step->after)
        return true;
    tree_diff(step->before, step->after, &diff);
    nothing = !diff.count && !diff.moved_x && !diff.moved_y;
    tree_diff_release(&diff);
    return nothing;
}
