/*
 * The agent "slips": follows gold, but some of its taps go to another element
 * of the screen, which it does not notice. It measures how much a task
 * forgives.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "runner/agents/agent_factory.h"
#include "runner/agents/random_draw.h"
#include "runner/observe/element_list.h"

struct slip_rate {
    int percent; /* of all taps */
    uint64_t seed;
};

struct slips_agent {
    struct agent agent;
    struct agent *gold; /* owned */
    struct slip_rate rate;
    struct random_draw draw;
};

static struct slips_agent *of(struct agent *agent)
{
    return (struct slips_agent *)agent;
}

static bool agent_slips_begin(struct agent *agent, const struct task *task,
                              int repeat, struct err *err)
{
    struct slips_agent *self = of(agent);

    random_draw_start(&self->draw, self->rate.seed, task->id, repeat);
    return self->gold->ops->begin(self->gold, task, repeat, err);
}

/* Would a tap on it be a slip? */
static bool is_other(const struct screen_element *element,
                     struct action_point at)
{
    return element->acts && !box_is_empty(element->box) &&
           !box_holds(element->box, at.x, at.y);
}

/* Move a tap to another element; it stays where there is none. */
static void slip(struct slips_agent *self, const struct tree *tree,
                 struct action_point *at)
{
    struct element_list elements = ELEMENT_LIST_INIT;
    int count = 0;
    int chosen;

    element_list_build(tree, &elements);
    for (size_t i = 0; i < elements.count; i++)
        count += is_other(&elements.items[i], *at);
    chosen = count ? random_draw_below(&self->draw, count) : -1;
    for (size_t i = 0; chosen >= 0 && i < elements.count; i++) {
        if (is_other(&elements.items[i], *at) && !chosen--) {
            (void)!element_list_point(&elements, (int)i + 1, at);
            break;
        }
    }
    element_list_release(&elements);
}

static bool agent_slips_decide(struct agent *agent,
                               const struct agent_view *view,
                               struct deadline by, const struct cancel *cancel,
                               struct agent_reply *reply, struct err *err)
{
    struct slips_agent *self = of(agent);
    bool is_tap;

    if (!self->gold->ops->decide(self->gold, view, by, cancel, reply, err))
        return false;
    is_tap = reply->has_action && reply->action.kind == ACTION_CLICK &&
             reply->action.has_from && view->seen->has_tree;
    if (is_tap && random_draw_below(&self->draw, 100) < self->rate.percent)
        slip(self, &view->seen->tree, &reply->action.from);
    return true;
}

static void agent_slips_close(struct agent *agent)
{
    agent_close(of(agent)->gold);
    free(agent);
}

/* "20" or "20:7": percent, and the seed. */
static bool agent_slips_open(const char *argument,
                             const struct agent_factory_options *options,
                             void **shared, struct err *err)
{
    struct slip_rate *rate = mem_new(1, sizeof(*rate));
    char *end;
    long percent;

    (void)options;
    errno = 0;
    percent = strtol(argument, &end, 10);
    rate->percent = (int)percent;
    if (*end == ':' && end[1] && end[1] != '-')
        rate->seed = strtoull(end + 1, &end, 10);
    if (errno || *end || end == argument || percent < 0 || percent > 100) {
        free(rate);
        return err_set(err, ERR_INVALID,
                       "slips:%.40s: give the percentage of wrong taps, such "
                       "as 20, and perhaps a seed, as in 20:7",
                       argument);
    }
    *shared = rate;
    return true;
}

static bool agent_slips_make(void *shared, struct agent **agent,
                             struct err *err)
{
    static const struct agent_ops ops = {.begin = agent_slips_begin,
                                         .decide = agent_slips_decide,
                                         .close = agent_slips_close};
    const struct slip_rate *rate = shared;
    struct agent *gold = NULL;
    struct slips_agent *self;

    if (!agent_gold.make(NULL, &gold, err))
        return false;
    self = mem_new(1, sizeof(*self));
    self->agent =
        (struct agent){.ops = &ops, .actor = ACTOR_AGENT, .needs_tree = true};
    self->gold = gold;
    self->rate = *rate;
    *agent = &self->agent;
    return true;
}

const struct agent_kind agent_slips = {
    .name = "slips",
    .argument = "PERCENT",
    .summary = "follows gold, but so many of its taps go elsewhere",
    .undirected = true,
    .open = agent_slips_open,
    .make = agent_slips_make,
    .close = free,
};
