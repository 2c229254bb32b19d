/*
 * Gold: does the steps that a task's author wrote down. Each target is looked
 * for on the screen as it is; what is not there yet is scrolled to, or waited
 * for.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/agent_words.h"
#include "runner/agents.h"
#include "runner/find.h"
#include "runner/gold_recorded.h"
#include "runner/source.h"

#define SEARCHES_MAX 8 /* steps spent on finding one target */
#define WAITS_MAX 2    /* of which so many may wait */
#define WAIT_MS 1000

struct gold_agent {
    struct agent agent;
    struct gold recorded;    /* owned; of a task that has a recording */
    const struct gold *gold; /* that, or the task's own */
    size_t at;               /* the step that is next */
    int searches;            /* for its target, so far */
    int waits;
};

static bool begin(struct agent *agent, const struct task *task, int repeat,
                  struct err *err)
{
    struct gold_agent *self = (struct gold_agent *)agent;
    const struct gold *gold = &task->gold;

    (void)repeat;
    self->at = 0;
    self->searches = self->waits = 0;
    self->gold = gold;
    gold_release(&self->recorded);
    if (!gold->count && gold->trajectory) {
        self->gold = &self->recorded;
        return gold_recorded_load(gold->trajectory, &self->recorded, err);
    }
    return gold->count > 0 ||
           err_set(err, ERR_INVALID, "task %s has no gold", task->id);
}

static void say(const struct action *action, struct agent_reply *reply)
{
    reply->has_action = true;
    reply->action = *action;
    reply->action.text = action->text ? mem_dup(action->text) : NULL;
}

/* It is not there: go where it may be, wait for it, or give up. */
static void search(struct gold_agent *self, const struct found *found,
                   const struct err *why, struct agent_reply *reply)
{
    struct action action = {.kind = ACTION_WAIT, .milliseconds = WAIT_MS};
    bool scrolls = found->scroll != DIRECTION_NONE;

    if (++self->searches > SEARCHES_MAX ||
        (!scrolls && ++self->waits > WAITS_MAX)) {
        agent_says(ACTION_FAIL, why->text, reply);
        return;
    }
    if (scrolls)
        action = (struct action){.kind = ACTION_SCROLL,
                                 .has_from = true,
                                 .from = found->at,
                                 .direction = found->scroll};
    say(&action, reply);
}

/*
 * Find a step's target; NULL is found at once. False: the reply says what is
 * to be done about it.
 */
static bool find(struct gold_agent *self, const struct agent_view *view,
                 const struct selector *selector, bool *has,
                 struct action_point *at, struct agent_reply *reply)
{
    const struct find_place place = {.seen = view->seen,
                                     .oracle = view->lease->oracle};
    struct found found = {.scroll = DIRECTION_NONE};
    struct err why = ERR_INIT;

    if (!selector)
        return true;
    if (!find_target(&place, selector, &found, &why)) {
        search(self, &found, &why, reply);
        return false;
    }
    *has = true;
    *at = found.at;
    return true;
}

static bool decide(struct agent *agent, const struct agent_view *view,
                   struct deadline by, const struct cancel *cancel,
                   struct agent_reply *reply, struct err *err)
{
    struct gold_agent *self = (struct gold_agent *)agent;
    const struct gold *gold = self->gold;
    const struct gold_step *step = &gold->steps[self->at];
    struct action action;

    (void)by, (void)cancel, (void)err;
    if (self->at == gold->count) {
        agent_says(ACTION_COMPLETE, NULL, reply);
        return true;
    }
    action = step->action;
    if (!find(self, view, step->target, &action.has_from, &action.from,
              reply) ||
        !find(self, view, step->to, &action.has_to, &action.to, reply))
        return true;
    say(&action, reply);
    self->at++;
    self->searches = self->waits = 0;
    return true;
}

static void close_gold(struct agent *agent)
{
    gold_release(&((struct gold_agent *)agent)->recorded);
    free(agent);
}

static bool make(void *shared, struct agent **agent, struct err *err)
{
    static const struct agent_ops ops = {
        .begin = begin, .decide = decide, .close = close_gold};
    struct gold_agent *self = mem_new(1, sizeof(*self));

    (void)shared, (void)err;
    self->agent =
        (struct agent){.ops = &ops, .actor = ACTOR_GOLD, .needs_tree = true};
    *agent = &self->agent;
    return true;
}

const struct agent_kind agent_gold = {
    .name = "gold",
    .summary = "does what the task's author wrote down",
    .make = make,
};
