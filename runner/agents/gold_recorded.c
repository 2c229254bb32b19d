#include "runner/agents/gold_recorded.h"

#include <stdlib.h>

#include "base/mem.h"
#include "process_provider/describe/tap_target.h"
#include "runner/observe/selector_find.h"

#define FILE_MAX ((size_t)64 << 20)

bool gold_recorded_has_target(const struct action *action)
{
    return action->has_from && action->kind != ACTION_SWIPE &&
           action->kind != ACTION_SCROLL;
}

/* False: there is none, or it cannot be read. */
static bool load_tree(const struct trajectory *recorded, size_t step,
                      struct tree *tree)
{
    struct buf xml = BUF_INIT(FILE_MAX);
    struct err ignored;
    bool done;

    done = recorded->steps[step].tree.file[0] &&
           trajectory_read_file(recorded, &recorded->steps[step].tree, &xml,
                                &ignored) &&
           tree_read(tree, buf_cstr(&xml), xml.length, &ignored);
    buf_release(&xml);
    return done;
}

bool gold_recorded_selector(const struct trajectory *recorded, size_t step,
                            struct node_selector *selector)
{
    const struct action *action = &recorded->steps[step].action;
    struct tree tree = TREE_INIT;
    struct tap_target target = {.node = TREE_NONE};

    if (load_tree(recorded, step, &tree))
        target = tap_target_at(&tree, action->from.x, action->from.y);
    if (target.node != TREE_NONE)
        selector_build(&tree, target.node, action->from, selector);
    tree_release(&tree);
    return target.node != TREE_NONE;
}

static void add_step(const struct trajectory *recorded, size_t step,
                     struct task_gold *gold)
{
    const struct action *action = &recorded->steps[step].action;
    struct task_gold_step *made;

    gold->steps =
        mem_resize(gold->steps, gold->count + 1, sizeof(*gold->steps));
    made = &gold->steps[gold->count++];
    *made = (struct task_gold_step){.action = *action};
    made->action.text = action->text ? mem_dup(action->text) : NULL;
    if (!gold_recorded_has_target(action))
        return;
    made->target = mem_new(1, sizeof(*made->target));
    if (!gold_recorded_selector(recorded, step, made->target)) {
        free(made->target);
        made->target = NULL;
    }
}

bool gold_recorded_load(const char *folder, struct task_gold *gold,
                        struct err *err)
{
    struct trajectory recorded;

    if (!trajectory_load(folder, &recorded, err))
        return err_wrap(err, "recorded gold steps");
    *gold = (struct task_gold){.steps = NULL};
    for (size_t i = 0; i < recorded.count && gold->count < TASK_GOLD_STEPS_MAX;
         i++) {
        const struct trajectory_step *step = &recorded.steps[i];

        if (step->acted && !step->blocked)
            add_step(&recorded, i, gold);
    }
    trajectory_release(&recorded);
    return true;
}
