#include "judge/gold/key_effect.h"

#include <string.h>

#include "process_provider/describe/node_context.h"
#include "process_provider/diff/tree_diff.h"

static bool stays_on_page(const struct episode_evidence_step *step)
{
    return screen_control_same_page(step->before, step->after);
}

/* Is it a button that takes back what was done last? */
static bool is_undo(const struct anchors *anchors, const struct tree_node *node)
{
    const char *name = node->text[0] ? node->text : node->description;
    const struct thesaurus_meaning *meaning;

    if (!node->takes_taps || !*name)
        return false;
    meaning = thesaurus_find(anchors->thesaurus, name);
    return meaning && meaning->takes_back;
}

/* Can it be taken back since then, by a button that the screen offers? */
static bool offers_undo(const struct anchors *anchors, const struct tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        if (!(tree->nodes[i].flags & NODE_DISABLED) &&
            is_undo(anchors, &tree->nodes[i]))
            return true;
    }
    return false;
}

/* Was it offered before, so that the step only comes back to the editor? */
static bool offered_undo(const struct anchors *anchors,
                         const struct episode_evidence_step *step)
{
    for (const struct episode_evidence_step *earlier = anchors->gold->steps;
         earlier < step; earlier++) {
        if (earlier->before && offers_undo(anchors, earlier->before))
            return true;
    }
    return false;
}

bool key_effect_may_be_undone(const struct anchors *anchors,
                              const struct episode_evidence_step *step)
{
    return step->before && step->after && offers_undo(anchors, step->after) &&
           !offers_undo(anchors, step->before) && !offered_undo(anchors, step);
}

/* Has the screen a button for that, whether it can be used now or not? */
static bool has_undo(const struct anchors *anchors, const struct tree *tree)
{
    for (uint32_t i = 0; tree && i < tree->count; i++) {
        if (is_undo(anchors, &tree->nodes[i]))
            return true;
    }
    return false;
}

bool key_effect_is_edit(const struct anchors *anchors,
                        const struct episode_evidence_step *step)
{
    const struct episode_evidence *gold = anchors->gold;
    const struct episode_evidence_step *end = gold->steps + gold->count;
    bool in_editor = has_undo(anchors, step->before);

    for (const struct episode_evidence_step *later = step; later < end;
         later++) {
        if (later > step && !in_editor && anchors_is_key_step(anchors, later))
            break;
        if (in_editor ? later->after && offers_undo(anchors, later->after)
                      : key_effect_may_be_undone(anchors, later))
            return true;
    }
    return false;
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

/* What a sheet asks for is done when it is confirmed: "Stop" is no pause. */
static bool is_final(const struct episode_evidence_step *step,
                     const struct thesaurus_meaning *meaning)
{
    return is_on_sheet(step) && meaning->undone_by &&
           strcmp(meaning->undone_by, "remove") != 0;
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
           (meaning && (meaning->arranges || meaning->key ||
                        (meaning->settles && !is_final(step, meaning))));
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
