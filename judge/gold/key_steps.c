#include "judge/gold/key_steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The same action: equal kind and equal text. */
static bool follows(const struct action *asked, const struct action *done)
{
    if (asked->kind != done->kind)
        return false;
    return asked->kind != ACTION_TYPE || !asked->text || !done->text ||
           !strcmp(asked->text, done->text);
}

/* The next step with that action; the number of steps: none. */
static size_t next_step(const struct episode_evidence *gold,
                        const struct action *asked, size_t from)
{
    while (from < gold->count &&
           (gold->steps[from].step->blocked ||
            !follows(asked, &gold->steps[from].step->action)))
        from++;
    return from;
}

/* Consecutive key steps of one group are one layer. */
static size_t layer_of(const struct task_gold_step *step,
                       const struct task_gold_step *before, size_t layer)
{
    if (!before)
        return 0;
    return step->group && step->group == before->group ? layer : layer + 1;
}

static bool find(const struct episode_evidence *gold,
                 struct key_steps *key_steps, struct err *err)
{
    const struct task_gold *steps = &gold->task.gold;
    const struct task_gold_step *before = NULL;
    size_t at = 0;
    size_t layer = 0;

    for (size_t i = 0; i < steps->count; i++) {
        size_t found = next_step(gold, &steps->steps[i].action, at);

        if (found == gold->count)
            return err_set(err, ERR_INVALID,
                           "the trajectory does not follow the gold: step %zu "
                           "(%s) is missing",
                           i + 1,
                           action_kind_name(steps->steps[i].action.kind));
        at = found + 1;
        if (!steps->steps[i].key_step)
            continue;
        layer = layer_of(&steps->steps[i], before, layer);
        before = &steps->steps[i];
        key_steps->items[key_steps->count++] = (struct key_step){found, layer};
    }
    return true;
}

bool key_steps_find(const struct episode_evidence *gold,
                    struct key_steps *key_steps, struct err *err)
{
    struct key_steps found = {.count = 0};

    if (!gold->task.gold.count)
        return err_set(err, ERR_INVALID, "the task has no gold steps");
    found.items = mem_new(gold->task.gold.count, sizeof(*found.items));
    if (!find(gold, &found, err)) {
        key_steps_release(&found);
        return false;
    }
    *key_steps = found;
    return true;
}

void key_steps_release(struct key_steps *key_steps)
{
    free(key_steps->items);
    *key_steps = (struct key_steps){.count = 0};
}
