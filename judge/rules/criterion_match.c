#include "judge/rules/criterion_match.h"

#include <ctype.h>
#include <string.h>

#include "judge/evidence/screen_words.h"
#include "process_provider/describe/node_context.h"
#include "process_provider/describe/node_label.h"
#include "process_provider/describe/tap_target.h"

/* ---- texts ---- */

static bool matches(const struct condition *condition, const char *text)
{
    return *text && regex_matches(condition->pattern, text);
}

static bool matches_node(const struct condition *condition,
                         const struct tree_node *node)
{
    return matches(condition, node->text) ||
           matches(condition, node->description);
}

static bool matches_screen(const struct condition *condition,
                           const struct tree *tree)
{
    for (uint32_t i = 0; tree && i < tree->count; i++) {
        if (matches_node(condition, &tree->nodes[i]))
            return true;
    }
    return false;
}

static bool matches_label(const struct condition *condition,
                          const struct node_label *label)
{
    if (label->source == NODE_LABEL_NONE)
        return false;
    if (matches(condition, label->name.text))
        return true;
    for (unsigned i = 0; i < label->detail_count; i++) {
        if (matches(condition, label->details[i].text))
            return true;
    }
    return false;
}

/* Typing touches the field that has the focus. */
static bool matches_field(const struct condition *condition,
                          const struct episode_evidence_step *step)
{
    uint32_t field = step->before ? tap_target_field(step->before) : TREE_NONE;
    struct node_label label;

    if (field == TREE_NONE)
        return false;
    node_label_of(step->before, field, &label);
    return matches_label(condition, &label);
}

/* Plain descriptions consist only of the name of the touched element. */
static bool matches_target(const struct condition *condition,
                           const struct episode_evidence_step *step,
                           enum process_source source)
{
    enum action_kind kind = step->step->action.kind;

    if (kind == ACTION_TYPE || kind == ACTION_CLEAR || kind == ACTION_ENTER)
        return matches_field(condition, step);
    if (!step->what.touches)
        return false;
    if (source == PROCESS_PLAIN && kind == ACTION_CLICK)
        return matches(condition, step->description);
    return step->what.target.kind != TAP_TARGET_NOTHING &&
           matches_label(condition, &step->what.label);
}

/* ---- a step ---- */

static bool holds(const struct criterion *criterion, enum condition_id id,
                  const struct episode_evidence_step *step,
                  enum process_source source)
{
    const struct condition *condition = &criterion->conditions[id];
    const struct action *action = &step->step->action;

    switch (id) {
    case CONDITION_DID:
        return matches(condition, step->description);
    case CONDITION_TARGET:
        return matches_target(condition, step, source);
    case CONDITION_TYPED:
        return action->kind == ACTION_TYPE && action->text &&
               !step->step->contradicted && matches(condition, action->text);
    case CONDITION_SCREEN:
        return matches_screen(condition, step->before);
    case CONDITION_SHOWS:
        return matches_screen(condition, step->after);
    case CONDITION_TEXT:
    case CONDITION_ID:
    case CONDITION_IS:
    case CONDITION_RESET_BY:
    case CONDITION_REDUCED_BY:
    case CONDITIONS:
        break;
    }
    return false;
}

static bool is_of_kind(const struct criterion *criterion,
                       const struct action *action)
{
    return !criterion->check->actions ||
           criterion->check->actions & (1U << (unsigned)action->kind);
}

/* Plain descriptions contain no states, so the state is assumed. */
static bool is_in_state(const struct criterion *criterion,
                        const struct episode_evidence_step *step,
                        enum process_source source)
{
    return criterion->check->on == TRI_STATE_EITHER ||
           source == PROCESS_PLAIN || criterion->check->on == step->on;
}

/*
 * Is it in a window above the screen, according to the tree before? A sheet may
 * be one or not: apps ask in it, and have menus in it.
 */
static bool is_in_window(const struct criterion *criterion,
                         const struct episode_evidence_step *step)
{
    if (criterion->check->dialog == TRI_STATE_EITHER)
        return true;
    if (!step->what.touches || step->what.target.node == TREE_NONE)
        return false;
    if (criterion->check->dialog == TRI_STATE_YES)
        return episode_evidence_in_window(step);
    return !node_context_is_dialog(step->before, step->what.target.node);
}

static bool is_on(const struct tree *tree, const char *word)
{
    return tree && screen_words_find(tree, word, 0) != TREE_NONE;
}

/* The words that the screen before must have, and those of the screen after. */
static bool shows_words(const struct episode_check *check,
                        const struct episode_evidence_step *step)
{
    for (size_t i = 0; i < check->has.count; i++) {
        if (!is_on(step->before, check->has.items[i]) &&
            !is_on(step->page, check->has.items[i]))
            return false;
    }
    return !check->gets.count ||
           (step->after && screen_words_in_order(step->after, &check->gets));
}

/*
 * The words of the touched element, or of the row that it is in. What is in no
 * list is on the page of what it belongs to, which counts as its row.
 */
static bool is_in_row(const struct episode_check *check,
                      const struct episode_evidence_step *step)
{
    uint32_t node = step->what.touches ? step->what.target.node : TREE_NONE;
    bool in_list;

    if (!check->row.count)
        return true;
    if (node == TREE_NONE)
        return false;
    in_list = node_context_row(step->before, node).node != TREE_NONE;
    node = screen_control_row(step->before, node);
    for (size_t i = 0; i < check->row.count; i++) {
        const char *word = check->row.items[i];

        if (!screen_words_within(step->before, node, word) &&
            (in_list || !is_on(step->before, word)))
            return false;
    }
    return true;
}

/* That member only controls how steps are counted, and matches none. */
static bool is_of_count(int id)
{
    return id == CONDITION_RESET_BY || id == CONDITION_REDUCED_BY;
}

bool criterion_match_step(const struct criterion *criterion,
                          const struct episode_evidence_step *step,
                          enum process_source source)
{
    if (step->step->blocked || !is_of_kind(criterion, &step->step->action) ||
        !is_in_state(criterion, step, source) ||
        !is_in_window(criterion, step) ||
        !shows_words(criterion->check, step) ||
        !is_in_row(criterion->check, step))
        return false;
    for (int id = 0; id < CONDITIONS; id++) {
        if (criterion->conditions[id].pattern && !is_of_count(id) &&
            !holds(criterion, (enum condition_id)id, step, source))
            return false;
    }
    return true;
}

static bool is_touched(const struct condition *condition,
                       const struct episode_evidence_step *step,
                       enum process_source source)
{
    return condition->pattern && !step->step->blocked &&
           matches_target(condition, step, source);
}

bool criterion_starts_anew(const struct criterion *criterion,
                           const struct episode_evidence_step *step,
                           enum process_source source)
{
    return is_touched(&criterion->conditions[CONDITION_RESET_BY], step, source);
}

bool criterion_takes_back(const struct criterion *criterion,
                          const struct episode_evidence_step *step,
                          enum process_source source)
{
    return is_touched(&criterion->conditions[CONDITION_REDUCED_BY], step,
                      source);
}

/* ---- nearly ---- */

/* The length of a word; every character beyond ASCII is a word. */
static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

static size_t word_length(const char *text)
{
    size_t length = 0;

    while (is_letter(text[length]))
        length++;
    return length;
}

static bool has_word(const char *text, const char *word, size_t length)
{
    for (; *text; text++) {
        if (!strncasecmp(text, word, length))
            return true;
    }
    return false;
}

/* The share of the pattern's words that text contains. */
static double share_of_words(const char *pattern, const char *text)
{
    unsigned words = 0;
    unsigned found = 0;

    while (*pattern) {
        size_t length = word_length(pattern);

        /* Skip the character after a backslash. */
        if (*pattern == '\\') {
            pattern += pattern[1] ? 2 : 1;
            continue;
        }
        if (length >= 3) {
            words++;
            found += has_word(text, pattern, length);
        }
        pattern += length ? length : 1;
    }
    return words ? (double)found / words : 0;
}

/* The text that a pattern is compared with, where it is a single one. */
static const char *subject_of(enum condition_id id,
                              const struct episode_evidence_step *step)
{
    const struct action *action = &step->step->action;

    if (id == CONDITION_TARGET && step->what.touches)
        return step->what.label.name.text;
    if (id == CONDITION_TYPED)
        return action->kind == ACTION_TYPE && action->text ? action->text : "";
    return step->description;
}

double criterion_nearness(const struct criterion *criterion,
                          const struct episode_evidence_step *step,
                          enum process_source source)
{
    double near = 0;
    unsigned conditions = 0;

    for (int id = 0; id < CONDITIONS; id++) {
        const struct condition *condition = &criterion->conditions[id];

        if (!condition->pattern || is_of_count(id))
            continue;
        conditions++;
        if (holds(criterion, (enum condition_id)id, step, source))
            near += 1;
        else
            near += share_of_words(condition->text,
                                   subject_of((enum condition_id)id, step)) /
                    2;
    }
    if (near == 0 && conditions)
        return 0;
    if (criterion->check->actions && is_of_kind(criterion, &step->step->action))
        near += 0.25;
    if (criterion->check->on != TRI_STATE_EITHER &&
        is_in_state(criterion, step, source))
        near += 0.25;
    return near;
}

/* ---- the end ---- */

/* By its own text, or by a text beside or inside a control. */
static bool is_called(const struct criterion *criterion,
                      const struct tree *tree, uint32_t node)
{
    const struct condition *text = &criterion->conditions[CONDITION_TEXT];
    const struct tree_node *one = &tree->nodes[node];
    struct node_label label;

    if (!text->pattern || matches_node(text, one))
        return true;
    if (!one->takes_taps && !(one->flags & NODE_CHECKABLE))
        return false;
    node_label_of(tree, node, &label);
    return label.source != NODE_LABEL_ID && matches_label(text, &label);
}

static bool has_id(const struct criterion *criterion,
                   const struct tree_node *node)
{
    const struct condition *id = &criterion->conditions[CONDITION_ID];

    return !id->pattern || matches(id, node->id) ||
           matches(id, phrase_id_tail(node->id));
}

static bool has_states(const struct criterion *criterion,
                       const struct tree *tree, uint32_t node)
{
    const struct episode_check *check = criterion->check;
    bool selected = tree->nodes[node].flags & NODE_SELECTED;

    return (check->checked == TRI_STATE_EITHER ||
            check->checked == screen_control_checked(tree, node)) &&
           (check->selected == TRI_STATE_EITHER ||
            check->selected == (selected ? TRI_STATE_YES : TRI_STATE_NO));
}

bool criterion_match_end(const struct criterion *criterion,
                         const struct tree *tree)
{
    for (uint32_t i = 0; tree && i < tree->count; i++) {
        if (has_id(criterion, &tree->nodes[i]) &&
            has_states(criterion, tree, i) && is_called(criterion, tree, i))
            return true;
    }
    return false;
}

bool criterion_match_evidence(const struct criterion *criterion,
                              const struct episode_evidence *evidence)
{
    const struct condition *is = &criterion->conditions[CONDITION_IS];
    const char *value =
        episode_evidence_recorded(evidence, criterion->check->evidence, true);

    return value && (!is->pattern || regex_matches(is->pattern, value));
}
