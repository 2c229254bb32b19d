/* The agents "random" and "nothing": the baselines for all others. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/agents/agent_factory.h"
#include "runner/agents/agent_reply.h"
#include "runner/agents/random_draw.h"

struct chance {
    struct agent agent;
    uint64_t seed;
    struct random_draw draw;
};

static bool agent_random_begin(struct agent *agent, const struct task *task,
                               int repeat, struct err *err)
{
    struct chance *chance = (struct chance *)agent;

    (void)err;
    random_draw_start(&chance->draw, chance->seed, task->id, repeat);
    return true;
}

static struct action_point any_point(struct chance *chance,
                                     struct extent screen)
{
    return (struct action_point){
        random_draw_below(&chance->draw, screen.width),
        random_draw_below(&chance->draw, screen.height)};
}

/* A common word, so that searches find something. */
static char *any_text(struct chance *chance)
{
    static const char *const texts[] = {"coffee", "7", "a", "tomorrow",
                                        "hello"};

    return mem_dup(
        texts[random_draw_below(&chance->draw, (int)ARRAY_LEN(texts))]);
}

/* Most actions of people are taps. */
static void any_action(struct chance *chance, struct extent screen,
                       struct action *action)
{
    static const enum action_kind kinds[] = {
        ACTION_CLICK, ACTION_CLICK, ACTION_CLICK, ACTION_CLICK,
        ACTION_CLICK, ACTION_CLICK, ACTION_SWIPE, ACTION_SWIPE,
        ACTION_TYPE,  ACTION_ENTER, ACTION_BACK,  ACTION_LONG_PRESS,
    };

    *action = (struct action){
        .kind = kinds[random_draw_below(&chance->draw, (int)ARRAY_LEN(kinds))]};
    if (action->kind == ACTION_TYPE) {
        action->text = any_text(chance);
    } else if (action->kind == ACTION_SWIPE) {
        action->direction = (enum action_direction)(
            DIRECTION_UP + random_draw_below(&chance->draw, 4));
    } else if (action->kind == ACTION_CLICK ||
               action->kind == ACTION_LONG_PRESS) {
        action->has_from = true;
        action->from = any_point(chance, screen);
    }
}

static bool agent_random_decide(struct agent *agent,
                                const struct agent_view *view,
                                struct deadline by, const struct cancel *cancel,
                                struct agent_reply *reply, struct err *err)
{
    struct chance *chance = (struct chance *)agent;
    struct action action;

    (void)by, (void)cancel, (void)err;
    any_action(chance, view->seen->screen, &action);
    while (!(view->actions & (UINT32_C(1) << action.kind)) &&
           action.kind != ACTION_CLICK) {
        action_release(&action);
        any_action(chance, view->seen->screen, &action);
    }
    reply->has_action = true;
    reply->action = action;
    return true;
}

static void agent_random_close(struct agent *agent)
{
    free(agent);
}

static bool agent_random_open(const char *argument,
                              const struct agent_factory_options *options,
                              void **shared, struct err *err)
{
    uint64_t *seed;
    char *end;

    (void)options;
    errno = 0;
    seed = mem_new(1, sizeof(*seed));
    *seed = strtoull(argument, &end, 10);
    if (errno || *end || argument[0] == '-') {
        free(seed);
        return err_set(err, ERR_INVALID,
                       "random:%.40s: give a number, such as 7", argument);
    }
    *shared = seed;
    return true;
}

static bool agent_random_make(void *shared, struct agent **agent,
                              struct err *err)
{
    static const struct agent_ops ops = {.begin = agent_random_begin,
                                         .decide = agent_random_decide,
                                         .close = agent_random_close};
    struct chance *chance = mem_new(1, sizeof(*chance));
    const uint64_t *seed = shared;

    (void)err;
    chance->agent = (struct agent){.ops = &ops, .actor = ACTOR_AGENT};
    chance->seed = *seed;
    *agent = &chance->agent;
    return true;
}

const struct agent_kind agent_random = {
    .name = "random",
    .argument = "SEED",
    .summary = "acts by chance; the same seed does the same",
    .undirected = true,
    .open = agent_random_open,
    .make = agent_random_make,
    .close = free,
};

static bool decide_nothing(struct agent *agent, const struct agent_view *view,
                           struct deadline by, const struct cancel *cancel,
                           struct agent_reply *reply, struct err *err)
{
    (void)agent, (void)view, (void)by, (void)cancel, (void)err;
    agent_reply_set(ACTION_COMPLETE, NULL, reply);
    return true;
}

static bool make_nothing(void *shared, struct agent **agent, struct err *err)
{
    static const struct agent_ops ops = {.decide = decide_nothing,
                                         .close = agent_random_close};
    struct agent *made = mem_new(1, sizeof(*made));

    (void)shared, (void)err;
    *made = (struct agent){.ops = &ops, .actor = ACTOR_AGENT};
    *agent = made;
    return true;
}

const struct agent_kind agent_nothing = {
    .name = "nothing",
    .summary = "does nothing, and says that it is done",
    .make = make_nothing,
};
