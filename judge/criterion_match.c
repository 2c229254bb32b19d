#include "judge/criterion_match.h"

#include <ctype.h>
#include <string.h>

#include "judge/words.h"
#include "process_provider/label.h"
#include "process_provider/place.h"
#include "process_provider/target.h"

/* ---- texts ---- */

static bool matches(const struct condition *condition, const char *text)
{
    return *text && pattern_matches(condition->pattern, text);
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
                          const struct label *label)
{
    if (label->source == LABEL_NONE)
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
                          const struct dossier_step *step)
{
    uint32_t field = step->before ? target_field(step->before) : TREE_NONE;
    struct label label;

    if (field == TREE_NONE)
        return false;
    label_node(step->before, field, &label);
    return matches_label(condition, &label);
}

/* The plain words are nothing but the name of what was touched. */
static bool matches_target(const struct condition *condition,
                           const struct dossier_step *step,
                           enum process_source source)
{
    enum action_kind kind = step->step->action.kind;

    if (kind == ACTION_TYPE || kind == ACTION_ENTER)
        return matches_field(condition, step);
    if (!step->touches)
        return false;
    if (source == PROCESS_PLAIN && kind == ACTION_CLICK)
        return matches(condition, step->words);
    return step->what.target.kind != TARGET_NOTHING &&
           matches_label(condition, &step->what.label);
}

/* ---- a step ---- */

static bool holds(const struct criterion *criterion, enum condition_id id,
                  const struct dossier_step *step, enum process_source source)
{
    const struct condition *condition = &criterion->conditions[id];
    const struct action *action = &step->step->action;

    switch (id) {
    case CONDITION_DID:
        return matches(condition, step->words);
    case CONDITION_TARGET:
        return matches_target(condition, step, source);
    case CONDITION_TYPED:
        return action->kind == ACTION_TYPE && action->text &&
               matches(condition, action->text);
    case CONDITION_SCREEN:
        return matches_screen(condition, step->before);
    case CONDITION_SHOWS:
        return matches_screen(condition, step->after);
    case CONDITION_TEXT:
    case CONDITION_ID:
    case CONDITION_IS:
    case CONDITION_ANEW:
    case CONDITION_LESS:
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

/* The plain words know nothing of states: they can only be believed. */
static bool is_in_state(const struct criterion *criterion,
                        const struct dossier_step *step,
                        enum process_source source)
{
    return criterion->check->on == CHECK_EITHER || source == PROCESS_PLAIN ||
           criterion->check->on == step->on;
}

/* In a window above the screen, as far as the tree before tells. */
static bool is_in_window(const struct criterion *criterion,
                         const struct dossier_step *step)
{
    bool wanted = criterion->check->dialog == CHECK_YES;

    return criterion->check->dialog == CHECK_EITHER ||
           (step->touches && step->what.target.node != TREE_NONE &&
            place_is_dialog(step->before, step->what.target.node) == wanted);
}

static bool is_on(const struct tree *tree, const char *word)
{
    return tree && words_find(tree, word, 0) != TREE_NONE;
}

/* All words that the screen before must have, and those that it led to. */
static bool shows_words(const struct check *check,
                        const struct dossier_step *step)
{
    for (size_t i = 0; i < check->has.count; i++) {
        if (!is_on(step->before, check->has.items[i]) &&
            !is_on(step->page, check->has.items[i]))
            return false;
    }
    return !check->gets.count ||
           (step->after && words_in_order(step->after, &check->gets));
}

/* It tells how steps are counted, and describes none of them. */
static bool is_of_count(int id)
{
    return id == CONDITION_ANEW || id == CONDITION_LESS;
}

bool criterion_match_step(const struct criterion *criterion,
                          const struct dossier_step *step,
                          enum process_source source)
{
    if (step->step->blocked || !is_of_kind(criterion, &step->step->action) ||
        !is_in_state(criterion, step, source) ||
        !is_in_window(criterion, step) || !shows_words(criterion->check, step))
        return false;
    for (int id = 0; id < CONDITIONS; id++) {
        if (criterion->conditions[id].pattern && !is_of_count(id) &&
            !holds(criterion, (enum condition_id)id, step, source))
            return false;
    }
    return true;
}

static bool is_touched(const struct condition *condition,
                       const struct dossier_step *step,
                       enum process_source source)
{
    return condition->pattern && !step->step->blocked &&
           matches_target(condition, step, source);
}

bool criterion_starts_anew(const struct criterion *criterion,
                           const struct dossier_step *step,
                           enum process_source source)
{
    return is_touched(&criterion->conditions[CONDITION_ANEW], step, source);
}

bool criterion_takes_back(const struct criterion *criterion,
                          const struct dossier_step *step,
                          enum process_source source)
{
    return is_touched(&criterion->conditions[CONDITION_LESS], step, source);
}

/* ---- nearly ---- */

/* Bytes of letters; every character beyond ASCII counts as one. */
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

/* The share of the pattern's own words that text has. */
static double share_of_words(const char *pattern, const char *text)
{
    unsigned words = 0;
    unsigned found = 0;

    while (*pattern) {
        size_t length = word_length(pattern);

        /* What follows a backslash is no word. */
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

/* What a pattern is held against, where it is one text. */
static const char *subject_of(enum condition_id id,
                              const struct dossier_step *step)
{
    const struct action *action = &step->step->action;

    if (id == CONDITION_TARGET && step->touches)
        return step->what.label.name.text;
    if (id == CONDITION_TYPED)
        return action->kind == ACTION_TYPE && action->text ? action->text : "";
    return step->words;
}

double criterion_nearness(const struct criterion *criterion,
                          const struct dossier_step *step,
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
    if (criterion->check->on != CHECK_EITHER &&
        is_in_state(criterion, step, source))
        near += 0.25;
    return near;
}

/* ---- the end ---- */

/* By its own words, or by what stands beside or inside of a control. */
static bool is_called(const struct criterion *criterion,
                      const struct tree *tree, uint32_t node)
{
    const struct condition *text = &criterion->conditions[CONDITION_TEXT];
    const struct tree_node *one = &tree->nodes[node];
    struct label label;

    if (!text->pattern || matches_node(text, one))
        return true;
    if (!one->takes_taps && !(one->flags & NODE_CHECKABLE))
        return false;
    label_node(tree, node, &label);
    return label.source != LABEL_ID && matches_label(text, &label);
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
    const struct check *check = criterion->check;
    bool selected = tree->nodes[node].flags & NODE_SELECTED;

    return (check->checked == CHECK_EITHER ||
            check->checked == control_checked(tree, node)) &&
           (check->selected == CHECK_EITHER ||
            check->selected == (selected ? CHECK_YES : CHECK_NO));
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
                              const struct dossier *dossier)
{
    const struct condition *is = &criterion->conditions[CONDITION_IS];
    const char *value =
        dossier_evidence(dossier, criterion->check->evidence, true);

    return value && (!is->pattern || pattern_matches(is->pattern, value));
}
