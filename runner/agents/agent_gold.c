/*
 * The agent "gold": performs the gold steps of a task. Each target is searched
 * on the current screen; if it is missing, it scrolls or waits. A pop-up of the
 * built-in phone is closed first.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/agents/agent_factory.h"
#include "runner/agents/agent_reply.h"
#include "runner/agents/gold_recorded.h"
#include "runner/device/device_source.h"
#include "runner/observe/selector_find.h"

#define SEARCHES_MAX 8 /* steps to find one target */
#define WAITS_MAX 2    /* of which so many may be waits */
#define WAIT_MS 1000

struct gold_agent {
    struct agent agent;
    struct task_gold recorded;    /* owned; of a recorded task */
    const struct task_gold *gold; /* the recorded steps, or the task's own */
    size_t at;                    /* the next step */
    int searches;                 /* attempts to find its target so far */
    int waits;
};

static bool agent_gold_begin(struct agent *agent, const struct task *task,
                             int repeat, struct err *err)
{
    struct gold_agent *self = (struct gold_agent *)agent;
    const struct task_gold *gold = &task->gold;

    (void)repeat;
    self->at = 0;
    self->searches = self->waits = 0;
    self->gold = gold;
    task_gold_release(&self->recorded);
    if (!gold->count && gold->trajectory) {
        self->gold = &self->recorded;
        return gold_recorded_load(gold->trajectory, &self->recorded, err);
    }
    return gold->count > 0 ||
           err_set(err, ERR_INVALID, "task %s has no gold", task->id);
}

static void set_reply(const struct action *action, struct agent_reply *reply)
{
    reply->has_action = true;
    reply->action = *action;
    reply->action.text = action->text ? mem_dup(action->text) : NULL;
}

/* The target is missing: scroll, wait, or fail. */
static void search(struct gold_agent *self, const struct selector_match *found,
                   const struct err *why, struct agent_reply *reply)
{
    struct action action = {.kind = ACTION_WAIT, .milliseconds = WAIT_MS};
    bool scrolls = found->scroll != DIRECTION_NONE;

    if (++self->searches > SEARCHES_MAX ||
        (!scrolls && ++self->waits > WAITS_MAX)) {
        agent_reply_set(ACTION_FAIL, why->text, reply);
        return;
    }
    if (scrolls)
        action = (struct action){.kind = ACTION_SCROLL,
                                 .has_from = true,
                                 .from = found->at,
                                 .direction = found->scroll};
    set_reply(&action, reply);
}

/*
 * Find the target of a step; NULL needs none. False: the reply has the action
 * to find it.
 */
static bool find(struct gold_agent *self, const struct agent_view *view,
                 const struct node_selector *selector, bool *has,
                 struct action_point *at, struct agent_reply *reply)
{
    const struct selector_scope place = {
        .seen = view->seen, .truth_source = view->lease->truth_source};
    struct selector_match found = {.scroll = DIRECTION_NONE};
    struct err why = ERR_INIT;

    if (!selector)
        return true;
    if (!selector_find(&place, selector, &found, &why)) {
        search(self, &found, &why, reply);
        return false;
    }
    *has = true;
    *at = found.at;
    return true;
}

/* True: the reply closes a pop-up. */
static bool close_popup(const struct agent_view *view,
                        struct agent_reply *reply)
{
    struct truth_source *truth_source = view->lease->truth_source;
    struct truth_target place = {.shown = false};
    struct err ignored;

    if (!truth_source ||
        !truth_source->ops->locate(truth_source, "popup.close", &place,
                                   &ignored) ||
        !place.shown)
        return false;
    set_reply(&(struct action){.kind = ACTION_CLICK,
                               .has_from = true,
                               .from = place.at},
              reply);
    return true;
}

static bool agent_gold_decide(struct agent *agent,
                              const struct agent_view *view, struct deadline by,
                              const struct cancel *cancel,
                              struct agent_reply *reply, struct err *err)
{
    struct gold_agent *self = (struct gold_agent *)agent;
    const struct task_gold *gold = self->gold;
    const struct task_gold_step *step = &gold->steps[self->at];
    struct action action;

    (void)by, (void)cancel, (void)err;
    if (close_popup(view, reply))
        return true;
    if (self->at == gold->count) {
        agent_reply_set(ACTION_COMPLETE, NULL, reply);
        return true;
    }
    action = step->action;
    if (!find(self, view, step->target, &action.has_from, &action.from,
              reply) ||
        !find(self, view, step->to, &action.has_to, &action.to, reply))
        return true;
    set_reply(&action, reply);
    self->at++;
    self->searches = self->waits = 0;
    return true;
}

static void agent_gold_close(struct agent *agent)
{
    task_gold_release(&((struct gold_agent *)agent)->recorded);
    free(agent);
}

static bool agent_gold_make(void *shared, struct agent **agent, struct err *err)
{
    static const struct agent_ops ops = {.begin = agent_gold_begin,
                                         .decide = agent_gold_decide,
                                         .close = agent_gold_close};
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
    .make = agent_gold_make,
};
