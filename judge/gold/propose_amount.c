/* Needs that nothing is done more often, or to more things, than in the gold.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/regex.h"
#include "judge/gold/key_effect.h"
#include "judge/gold/propose_draft.h"
#include "process_provider/describe/node_context.h"
#include "process_provider/describe/node_label.h"

#define STEM_MIN 3 /* bytes that names of alike controls must share */

/* ---- which steps count together ---- */

static bool is_same_kind(const struct proposal_draft *draft,
                         const struct episode_evidence_step *a,
                         const struct episode_evidence_step *b)
{
    const struct thesaurus_meaning *meaning =
        anchors_meaning(&draft->anchors, a);

    return a->step->action.kind == b->step->action.kind &&
           (!strcmp(a->what.label.name.text, b->what.label.name.text) ||
            (meaning && meaning == anchors_meaning(&draft->anchors, b)));
}

/* Switches of one page count together, whatever they are called. */
static bool counts_with(const struct proposal_draft *draft,
                        const struct episode_evidence_step *a,
                        const struct episode_evidence_step *b)
{
    enum key_effect effect = key_effect_of(&draft->anchors, a);

    if (key_effect_of(&draft->anchors, b) != effect)
        return false;
    if (effect == KEY_EFFECT_SWITCH)
        return a->on == b->on &&
               !strcmp(a->control.screen.text, b->control.screen.text);
    return is_same_kind(draft, a, b);
}

/* ---- names of alike controls ---- */

/* The length of the words that both names begin with. */
static size_t common_words(const char *a, const char *b)
{
    size_t words = 0;

    for (size_t i = 0; a[i] && a[i] == b[i]; i++) {
        if (a[i] == ' ')
            words = i + 1;
    }
    return words;
}

/*
 * The length of the words that the names of alike controls begin with, as
 * "Remove from list: oak" and "Remove from list: ash"; 0: none is alike.
 */
static size_t find_stem(const struct episode_evidence_step *step)
{
    const struct tree *tree = step->before;
    const struct tree_node *touched = &tree->nodes[step->what.target.node];
    const char *name = step->what.label.name.text;
    size_t stem = 0;

    for (uint32_t i = 0; i < tree->count; i++) {
        struct node_label label;
        size_t words;

        if (!tree->nodes[i].takes_taps ||
            strcmp(tree->nodes[i].class_name, touched->class_name) != 0 ||
            strcmp(tree->nodes[i].id, touched->id) != 0)
            continue;
        node_label_of(tree, i, &label);
        if (label.source == NODE_LABEL_NONE || !strcmp(label.name.text, name))
            continue;
        words = common_words(name, label.name.text);
        if (words >= STEM_MIN && (!stem || words < stem))
            stem = words;
    }
    return stem;
}

/* "^Remove from list: " */
static void add_stem(const char *name, size_t length, struct buf *pattern)
{
    struct buf literal = BUF_INIT(PATTERN_MAX - 1);
    char *stem = mem_dup_n(name, length);

    anchors_literal(stem, &literal);
    buf_append(pattern, buf_cstr(&literal), literal.length - 1);
    buf_release(&literal);
    free(stem);
}

/* ---- the need ---- */

/* The names that count: those with the same meaning, and those with this stem.
 */
static void add_names(const struct proposal_draft *draft,
                      const struct episode_evidence_step *step,
                      struct buf *pattern)
{
    const struct thesaurus_meaning *meaning =
        anchors_meaning(&draft->anchors, step);
    size_t stem = find_stem(step);

    if (stem)
        add_stem(step->what.label.name.text, stem, pattern);
    else
        anchors_literal(step->what.label.name.text, pattern);
    if (meaning) {
        buf_byte(pattern, '|');
        thesaurus_pattern(meaning, pattern);
    }
    if (key_effect_is_edit(&draft->anchors, step)) {
        buf_byte(pattern, '|');
        thesaurus_pattern(thesaurus_get(draft->anchors.thesaurus, "redo"),
                          pattern);
    }
}

static bool is_in_dialog(const struct episode_evidence_step *step)
{
    return node_context_is_dialog(step->before, step->what.target.node);
}

/* How often the gold does what the pattern counts. */
static int count_matching(const struct proposal_draft *draft,
                          const struct episode_evidence_step *step,
                          const struct buf *pattern)
{
    struct regex *regex = NULL;
    struct err ignored;
    int count = 0;

    if (!regex_open(buf_cstr(pattern), REGEX_CASELESS, &regex, &ignored))
        return 0;
    for (size_t i = 0; i < draft->gold->count; i++) {
        const struct episode_evidence_step *other = &draft->gold->steps[i];

        count += other->has_control && other->before &&
                 other->step->action.kind == step->step->action.kind &&
                 is_in_dialog(other) == is_in_dialog(step) &&
                 regex_matches(regex, other->what.label.name.text);
    }
    regex_close(regex);
    return count;
}

/* On the page that shows the switch of the gold as well. */
static void add_switch(const struct proposal_draft *draft,
                       const struct episode_evidence_step *step,
                       struct cJSON *check)
{
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);

    proposal_draft_pattern(draft, step, &pattern);
    proposal_draft_add_pattern(check, "screen", &pattern);
    buf_release(&pattern);
    json_add_bool(check, "on", step->on == TRI_STATE_YES);
}

static void add_taking_back(const struct proposal_draft *draft,
                            const struct episode_evidence_step *step,
                            struct cJSON *check)
{
    struct thesaurus *thesaurus = draft->anchors.thesaurus;
    const struct thesaurus_meaning *meaning =
        anchors_meaning(&draft->anchors, step);
    const struct thesaurus_meaning *undo = thesaurus_get(thesaurus, "undo");
    const struct thesaurus_meaning *opposite =
        meaning && meaning->undone_by
            ? thesaurus_get(thesaurus, meaning->undone_by)
            : NULL;
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);

    thesaurus_pattern(undo, &pattern);
    if (opposite) {
        buf_byte(&pattern, '|');
        thesaurus_pattern(opposite, &pattern);
    }
    proposal_draft_add_pattern(check, "reduced_by", &pattern);
    buf_release(&pattern);
}

static struct cJSON *add_need(const struct proposal_draft *draft)
{
    struct cJSON *need = json_add_object(draft->needs, NULL);

    json_add_string(need, "say", "nothing else was done like this");
    return json_add_object(need, "check");
}

static struct cJSON *add_count(const struct proposal_draft *draft,
                               const struct episode_evidence_step *step,
                               int times, struct cJSON *check)
{
    json_add_string(check, "action", action_kind_name(step->step->action.kind));
    json_add_int(check, "times", times);
    add_taking_back(draft, step, check);
    return check;
}

/* At most that often: some may be on already. */
static void add_switches(const struct proposal_draft *draft,
                         const struct episode_evidence_step *step, int times)
{
    struct cJSON *any = json_add_array(add_need(draft), "any");
    struct cJSON *none = json_add_object(json_add_object(any, NULL), "not");

    json_add_string(none, "action", action_kind_name(step->step->action.kind));
    add_switch(draft, step, none);
    for (; times > 0; times--)
        add_switch(draft, step,
                   add_count(draft, step, times, json_add_object(any, NULL)));
}

static void add_act_names(const struct episode_evidence_step *step,
                          const struct buf *pattern, struct cJSON *check)
{
    proposal_draft_add_pattern(check, "target", pattern);
    json_add_bool(check, "dialog", is_in_dialog(step));
}

/*
 * That often, or not at all under these names: the app may have another one.
 * Where the gold touches such a control for another purpose as well, their
 * number says nothing.
 */
static void add_act(const struct proposal_draft *draft,
                    const struct episode_evidence_step *step, int times)
{
    struct buf pattern = BUF_INIT(PATTERN_MAX - 1);
    struct cJSON *any;
    struct cJSON *check;

    add_names(draft, step, &pattern);
    if (count_matching(draft, step, &pattern) == times) {
        any = json_add_array(add_need(draft), "any");
        check = add_count(draft, step, times, json_add_object(any, NULL));
        add_act_names(step, &pattern, check);
        check = json_add_object(json_add_object(any, NULL), "not");
        json_add_string(check, "action",
                        action_kind_name(step->step->action.kind));
        add_act_names(step, &pattern, check);
    }
    buf_release(&pattern);
}

/* Of all steps of the gold, not only the key steps. */
static int count_alike(const struct proposal_draft *draft,
                       const struct episode_evidence_step *step)
{
    int times = 0;

    for (size_t i = 0; i < draft->gold->count; i++)
        times += draft->gold->steps[i].has_control &&
                 counts_with(draft, step, &draft->gold->steps[i]);
    return times;
}

static bool is_first_of_its_kind(const struct proposal_draft *draft,
                                 size_t step)
{
    const struct episode_evidence_step *steps = draft->gold->steps;

    for (size_t i = 0; i < step; i++) {
        if (steps[i].has_control &&
            anchors_is_key_step(&draft->anchors, &steps[i]) &&
            counts_with(draft, &steps[step], &steps[i]))
            return false;
    }
    return true;
}

/* ---- numbers of pieces ---- */

static bool shows_meaning(const struct proposal_draft *draft,
                          const struct tree *tree,
                          const struct thesaurus_meaning *meaning)
{
    for (uint32_t i = 0; tree && i < tree->count; i++) {
        struct node_label label;

        if (!tree->nodes[i].takes_taps)
            continue;
        node_label_of(tree, i, &label);
        if (label.source != NODE_LABEL_NONE &&
            thesaurus_find(draft->anchors.thesaurus, label.name.text) ==
                meaning)
            return true;
    }
    return false;
}

/* Is there a stepper, "+" and "−", which gold leaves alone? */
static bool leaves_stepper(const struct proposal_draft *draft,
                           const struct thesaurus_meaning *more,
                           const struct thesaurus_meaning *less)
{
    bool shown = false;

    for (size_t i = 0; i < draft->gold->count; i++) {
        const struct episode_evidence_step *step = &draft->gold->steps[i];

        if (step->has_control &&
            (thesaurus_find(draft->anchors.thesaurus,
                            step->what.label.name.text) == more ||
             thesaurus_find(draft->anchors.thesaurus,
                            step->what.label.name.text) == less))
            return false;
        shown = shown || (shows_meaning(draft, step->before, more) &&
                          shows_meaning(draft, step->before, less));
    }
    return shown;
}

/* Then there is not one piece more, or that is taken back. */
static void add_pieces(const struct proposal_draft *draft)
{
    struct thesaurus *thesaurus = draft->anchors.thesaurus;
    const struct thesaurus_meaning *more = thesaurus_get(thesaurus, "one more");
    const struct thesaurus_meaning *less = thesaurus_get(thesaurus, "one less");
    struct buf plus = BUF_INIT(PATTERN_MAX - 1);
    struct buf minus = BUF_INIT(PATTERN_MAX - 1);
    struct cJSON *need;
    struct cJSON *any;
    struct cJSON *check;

    if (!leaves_stepper(draft, more, less))
        return;
    thesaurus_pattern(more, &plus);
    thesaurus_pattern(less, &minus);
    need = json_add_object(draft->needs, NULL);
    json_add_string(need, "say", "the number of pieces is as in the gold");
    any = json_add_array(json_add_object(need, "check"), "any");
    check = json_add_object(json_add_object(any, NULL), "not");
    json_add_string(check, "action", action_kind_name(ACTION_CLICK));
    proposal_draft_add_pattern(check, "target", &plus);
    proposal_draft_add_pattern(check, "screen", &minus);
    check = json_add_object(any, NULL);
    json_add_string(check, "action", action_kind_name(ACTION_CLICK));
    proposal_draft_add_pattern(check, "target", &minus);
    buf_release(&plus);
    buf_release(&minus);
}

void proposal_draft_add_amounts(struct proposal_draft *draft)
{
    for (size_t i = 0; i < draft->gold->count; i++) {
        const struct episode_evidence_step *step = &draft->gold->steps[i];
        enum key_effect effect = key_effect_of(&draft->anchors, step);

        if (effect == KEY_EFFECT_NONE ||
            !anchors_is_key_step(&draft->anchors, step) ||
            !is_first_of_its_kind(draft, i))
            continue;
        if (effect == KEY_EFFECT_SWITCH)
            add_switches(draft, step, count_alike(draft, step));
        else
            add_act(draft, step, count_alike(draft, step));
    }
    add_pieces(draft);
}
