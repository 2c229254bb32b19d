#include "judge/gold/key_effect.h"

#include <string.h>

#include "process_provider/describe/node_context.h"
#include "process_provider/diff/tree_diff.h"

static bool stays_on_page(const struct episode_evidence_step *step)
{
    return screen_control_same_page(step->before, step->after);
}

/* Can it be taken back since then, by a button that the screen offers? */
static bool offers_undo(const struct anchors *anchors, const struct tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        const char *name = node->text[0] ? node->text : node->description;
        const struct thesaurus_meaning *meaning;

        if (!node->takes_taps || node->flags & NODE_DISABLED || !*name)
            continue;
        meaning = thesaurus_find(anchors->thesaurus, name);
        if (meaning && meaning->takes_back)
            return true;
    }
    return false;
}

bool key_effect_may_be_undone(const struct anchors *anchors,
                              const struct episode_evidence_step *step)
{
    return step->before && step->after && offers_undo(anchors, step->after) &&
           !offers_undo(anchors, step->before);
}

/* Is there less on the screen than before? What unfolds shows more. */
static bool takes_away(const struct episode_evidence_step *step)
{
    struct tree_diff diff = TREE_DIFF_INIT;
    size_t appeared = 0;
    size_t vanished = 0;

    tree_diff(step->before, step->after, &diff);
    for (size_t i = 0; i < diff.count; i++) {
        appeared += diff.changes[i].kind == CHANGE_APPEARED;
        vanished += diff.changes[i].kind == CHANGE_VANISHED;
    }
    tree_diff_release(&diff);
    return vanished > appeared;
}

/* Is the touched control gone with its row, or disabled? */
static bool is_used_up(const struct episode_evidence_step *step)
{
    uint32_t node = screen_control_find(step->after, &step->control);

    return node == TREE_NONE
               ? !step->became.text[0] && takes_away(step)
               : (step->after->nodes[node].flags & NODE_DISABLED) != 0;
}

/* Is it done in a sheet or dialog? */
static bool is_on_sheet(const struct episode_evidence_step *step)
{
    return step->page && step->page != step->before;
}

/* Did a sheet, a dialog or a page close, back to what was there before it? */
static bool closes(const struct anchors *anchors,
                   const struct episode_evidence_step *step)
{
    const struct episode_evidence *gold = anchors->gold;

    if (is_on_sheet(step))
        return screen_control_same_page(step->page, step->after);
    for (const struct episode_evidence_step *earlier = gold->steps;
         earlier < step; earlier++) {
        if (earlier->before && earlier->before != step->before &&
            screen_control_same_page(earlier->before, step->after))
            return true;
    }
    return false;
}

/*
 * A choice that is made once more changes nothing; but to choose from a sheet
 * is to do something with what it was opened for.
 */
static bool only_chooses(const struct anchors *anchors,
                         const struct episode_evidence_step *step,
                         const struct thesaurus_meaning *meaning)
{
    return (anchors_is_name(anchors, step) &&
            !node_context_is_dialog(step->before, step->what.target.node)) ||
           !anchors_has_letters(step->what.label.name.text) ||
           (meaning && (meaning->arranges || meaning->key || meaning->settles));
}

static enum key_effect effect_of_act(const struct anchors *anchors,
                                     const struct episode_evidence_step *step)
{
    const struct thesaurus_meaning *meaning = anchors_meaning(anchors, step);
    bool acts;

    if (meaning && meaning->commits)
        return KEY_EFFECT_ACT;
    if (key_effect_may_be_undone(anchors, step))
        return KEY_EFFECT_ACT;
    if (only_chooses(anchors, step, meaning))
        return KEY_EFFECT_NONE;
    acts = stays_on_page(step) ? step->became.text[0] || is_used_up(step)
                               : closes(anchors, step);
    return acts ? KEY_EFFECT_ACT : KEY_EFFECT_NONE;
}

/* One of several: a filter, a size, a day. */
static bool is_choice(const struct anchors *anchors,
                      const struct episode_evidence_step *step)
{
    const struct thesaurus_meaning *meaning = anchors_meaning(anchors, step);

    return step->on == TRI_STATE_EITHER || (meaning && meaning->arranges) ||
           (step->what.role != ROLE_SWITCH && step->what.role != ROLE_CHECKBOX);
}

enum key_effect key_effect_of(const struct anchors *anchors,
                              const struct episode_evidence_step *step)
{
    if (!step->has_control || !step->before || !step->after ||
        step->what.role == ROLE_RADIO || step->what.role == ROLE_TAB)
        return KEY_EFFECT_NONE;
    if (step->control.checkable)
        return is_choice(anchors, step) ? KEY_EFFECT_NONE : KEY_EFFECT_SWITCH;
    return effect_of_act(anchors, step);
}
