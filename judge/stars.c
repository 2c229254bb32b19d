#include "judge/stars.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The same deed: of the same kind, and with the same words. */
static bool follows(const struct action *asked, const struct action *done)
{
    if (asked->kind != done->kind)
        return false;
    return asked->kind != ACTION_TYPE || !asked->text || !done->text ||
           !strcmp(asked->text, done->text);
}

/* The next step that does it; the number of steps: there is none. */
static size_t next_step(const struct dossier *gold, const struct action *asked,
                        size_t from)
{
    while (from < gold->count &&
           (gold->steps[from].step->blocked ||
            !follows(asked, &gold->steps[from].step->action)))
        from++;
    return from;
}

/* Stars that stand together in one group are one layer. */
static size_t layer_of(const struct gold_step *step,
                       const struct gold_step *before, size_t layer)
{
    if (!before)
        return 0;
    return step->group && step->group == before->group ? layer : layer + 1;
}

static bool find(const struct dossier *gold, struct stars *stars,
                 struct err *err)
{
    const struct gold *steps = &gold->task.gold;
    const struct gold_step *before = NULL;
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
        if (!steps->steps[i].star)
            continue;
        layer = layer_of(&steps->steps[i], before, layer);
        before = &steps->steps[i];
        stars->items[stars->count++] = (struct star){found, layer};
    }
    return true;
}

bool stars_find(const struct dossier *gold, struct stars *stars,
                struct err *err)
{
    struct stars found = {.count = 0};

    if (!gold->task.gold.count)
        return err_set(err, ERR_INVALID, "the task has no gold steps");
    found.items = mem_new(gold->task.gold.count, sizeof(*found.items));
    if (!find(gold, &found, err)) {
        stars_release(&found);
        return false;
    }
    *stars = found;
    return true;
}

void stars_release(struct stars *stars)
{
    free(stars->items);
    *stars = (struct stars){.count = 0};
}
