#include "judge/gold/free_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "judge/gold/anchors.h"
#include "process_provider/describe/node_context.h"

struct order {
    const struct episode_evidence *recording;
    const struct key_steps *key_steps;
    struct anchors anchors;
};

static const struct episode_evidence_step *step_of(const struct order *order,
                                                   size_t key_step)
{
    return &order->recording->steps[order->key_steps->items[key_step].step];
}

/* Where the way to a key step starts: behind the last one. */
static const struct episode_evidence_step *start_of(const struct order *order,
                                                    size_t key_step)
{
    size_t start =
        key_step ? order->key_steps->items[key_step - 1].step + 1 : 0;

    return &order->recording->steps[start];
}

static bool is_same_page(const struct tree *a, const struct tree *b)
{
    return a && b && (a == b || screen_control_same_page(a, b));
}

/* Does it pick a suggestion for the text that was typed just before? */
static bool is_suggestion(const struct order *order,
                          const struct episode_evidence_step *step)
{
    return step > order->recording->steps &&
           step[-1].step->action.kind == ACTION_TYPE && step->what.position &&
           is_same_page(step->before, step->after) &&
           anchors_is_name(&order->anchors, step);
}

/* Does it choose something, rather than act on what was chosen? */
static bool is_choice(const struct order *order, size_t key_step)
{
    const struct episode_evidence_step *step = step_of(order, key_step);
    const struct thesaurus_meaning *meaning;

    if (step->step->action.kind == ACTION_TYPE)
        return !episode_evidence_submits(
            order->recording, order->key_steps->items[key_step].step);
    if (!step->has_control || anchors_is_key(&order->anchors, key_step))
        return false;
    meaning =
        thesaurus_find(order->anchors.thesaurus, step->what.label.name.text);
    return (meaning && meaning->arranges) || step->control.checkable ||
           step->on != TRI_STATE_EITHER || is_suggestion(order, step);
}

static bool is_same_control(const struct episode_evidence_step *a,
                            const struct episode_evidence_step *b)
{
    return a->has_control && b->has_control &&
           !strcmp(a->control.id, b->control.id) &&
           !strcmp(a->control.name.text, b->control.name.text) &&
           !strcmp(a->control.row.text, b->control.row.text);
}

/* Did the earlier step end on the page on which its way began? */
static bool comes_back(const struct order *order, size_t key_step)
{
    return is_same_page(start_of(order, key_step)->before,
                        step_of(order, key_step)->after);
}

/* Could the way to the next key step have started where this one's did? */
static bool starts_alike(const struct order *order, size_t key_step)
{
    const struct tree *before = start_of(order, key_step)->before;
    const struct episode_evidence_step *next = start_of(order, key_step + 1);

    if (!before)
        return false;
    if (next->has_control)
        return screen_control_find(before, &next->control) != TREE_NONE;
    return is_same_page(before, next->before);
}

/* A list that was filtered has other rows. */
static bool has_same_title(const struct tree *a, const struct tree *b)
{
    struct phrase title_a;
    struct phrase title_b;

    return a && b && node_context_screen(a, &title_a) &&
           node_context_screen(b, &title_b) &&
           !strcmp(title_a.text, title_b.text);
}

/*
 * Are both done on one page, a form, that is not left in between? Its fields
 * may be filled in any order, however the first one was reached.
 */
static bool is_on_form(const struct order *order, size_t key_step)
{
    const struct episode_evidence_step *step = step_of(order, key_step);
    const struct episode_evidence_step *next = step_of(order, key_step + 1);

    for (const struct episode_evidence_step *on = step + 1; on <= next; on++) {
        if (!is_same_page(step->page, on->page) &&
            !has_same_title(step->page, on->page))
            return false;
    }
    return true;
}

static bool is_free(const struct order *order, size_t key_step)
{
    return is_choice(order, key_step) && is_choice(order, key_step + 1) &&
           !is_same_control(step_of(order, key_step),
                            step_of(order, key_step + 1)) &&
           (is_on_form(order, key_step) ||
            (comes_back(order, key_step) && starts_alike(order, key_step)));
}

void free_order_find(const struct episode_evidence *recording,
                     const struct key_steps *key_steps, int *groups)
{
    struct order order = {.recording = recording, .key_steps = key_steps};
    int last = 0;

    anchors_init(&order.anchors, recording, key_steps);
    for (size_t i = 0; i < key_steps->count; i++)
        groups[i] = 0;
    for (size_t i = 0; i + 1 < key_steps->count; i++) {
        if (!is_free(&order, i))
            continue;
        if (!groups[i])
            groups[i] = ++last;
        groups[i + 1] = groups[i];
    }
    anchors_release(&order.anchors);
}

void free_order_merge(const struct episode_evidence *gold,
                      struct key_steps *key_steps)
{
    int *groups = mem_new(key_steps->count + 1, sizeof(*groups));
    size_t merged = 0;

    free_order_find(gold, key_steps, groups);
    for (size_t i = 1; i < key_steps->count; i++) {
        struct key_step *key_step = &key_steps->items[i];

        key_step->layer -= merged;
        if (groups[i] && groups[i] == groups[i - 1] &&
            key_step->layer > key_step[-1].layer) {
            key_step->layer--;
            merged++;
        }
    }
    free(groups);
}

bool free_order_apply(struct episode_evidence *recording, struct err *err)
{
    struct task_gold *gold = &recording->task.gold;
    struct key_steps key_steps;
    size_t next = 0;
    int *groups;

    if (!key_steps_find(recording, &key_steps, err))
        return false;
    groups = mem_new(key_steps.count + 1, sizeof(*groups));
    free_order_find(recording, &key_steps, groups);
    for (size_t i = 0; i < gold->count; i++) {
        if (gold->steps[i].key_step)
            gold->steps[i].group = groups[next++];
    }
    free(groups);
    key_steps_release(&key_steps);
    return true;
}
