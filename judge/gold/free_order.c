#include "judge/gold/free_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "judge/gold/anchors.h"

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
           step->on != TRI_STATE_EITHER;
}

static bool is_same_control(const struct episode_evidence_step *a,
                            const struct episode_evidence_step *b)
{
    return a->has_control && b->has_control &&
           !strcmp(a->control.id, b->control.id) &&
           !strcmp(a->control.name.text, b->control.name.text) &&
           !strcmp(a->control.row.text, b->control.row.text);
}

static bool is_same_page(const struct tree *a, const struct tree *b)
{
    return a && b && (a == b || screen_control_same_page(a, b));
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

static bool is_free(const struct order *order, size_t key_step)
{
    return is_choice(order, key_step) && is_choice(order, key_step + 1) &&
           !is_same_control(step_of(order, key_step),
                            step_of(order, key_step + 1)) &&
           comes_back(order, key_step) && starts_alike(order, key_step);
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
