#include "runner/recording/twin_way.h"

#include <stdlib.h>

#include "base/mem.h"
#include "process_provider/describe/tap_target.h"
#include "runner/agents/gold_recorded.h"
#include "runner/observe/selector_find.h"
#include "runner/recording/recorded_way.h"

/* The element at the point of the action; NULL: there is none. */
static struct node_selector *target_of(const struct episode_evidence_step *step)
{
    const struct action *action = &step->step->action;
    struct node_selector *made;
    struct tap_target target;

    if (!step->before || !gold_recorded_has_target(action))
        return NULL;
    target = tap_target_at(step->before, action->from.x, action->from.y);
    if (target.node == TREE_NONE)
        return NULL;
    made = mem_new(1, sizeof(*made));
    selector_build(step->before, target.node, action->from, made);
    return made;
}

void twin_ways_make(const struct twins *twins, struct twin_ways *ways)
{
    *ways = (struct twin_ways){
        .items = mem_new(twins->count + 1, sizeof(*ways->items))};
    for (size_t i = 0; i < twins->count; i++) {
        const struct twin *twin = &twins->items[i];
        struct twin_way *way = &ways->items[ways->count++];

        way->kind = twin->kind;
        way->description = mem_dup(twin->description);
        for (size_t k = 0; k < twin->evidence.count; k++) {
            const struct episode_evidence_step *step = &twin->evidence.steps[k];

            (void)recorded_way_add_step(&step->step->action, target_of(step),
                                        &way->steps);
        }
    }
}

void twin_ways_release(struct twin_ways *ways)
{
    for (size_t i = 0; i < ways->count; i++) {
        free(ways->items[i].description);
        task_gold_release(&ways->items[i].steps);
    }
    free(ways->items);
    *ways = (struct twin_ways){.count = 0};
}
