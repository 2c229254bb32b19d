/*
 * Who decides what is done: a model, a program, a script, gold, chance or a
 * person. One interface: what is seen, the task and what was done so far go
 * in; what was said, the action and the cost come out.
 */
#ifndef RUNNER_AGENT_H
#define RUNNER_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "base/model.h"
#include "runner/elements.h"
#include "runner/observe.h"
#include "tasks/action.h"
#include "tasks/task.h"
#include "tasks/trajectory.h"

struct lease;

/* One step that is over. */
struct agent_past {
    struct action action;
    char *reply;    /* what was said; NULL: nothing */
    char *notice;   /* why it was not carried out; NULL */
    struct buf png; /* what was seen before it, as far as agents ask for it
                       (agent.keeps_screens); empty otherwise */
};

/* How much of the screen an agent is shown. */
enum agent_mode {
    AGENT_SCREEN, /* the picture */
    AGENT_TREE,   /* and what is on it, as text */
    AGENT_MARKS,  /* the same, and a box and a number around each */
    AGENT_MODES,
};

/* "screen", "tree", "marks". */
const char *agent_mode_name(enum agent_mode mode);

/* What an agent is told. All of it is borrowed until decide returns. */
struct agent_view {
    const struct task *task; /* as it is asked: see task_resolve */
    const char *instruction;
    enum agent_mode mode;
    const struct observation *seen;  /* its tree only if needs_tree, or by
                                        mode; its png is never marked */
    const struct elements *elements; /* NULL in mode AGENT_SCREEN */
    const struct agent_past *past;   /* all steps so far, the oldest first */
    size_t past_count;
    const char *notice; /* what was wrong with the last reply; NULL */
    uint32_t actions;   /* a bit per enum action_kind that is allowed */
    int step;           /* from 0 */
    int steps_left;
    const char *folder;        /* of the episode, for what an agent writes */
    const char *screen_file;   /* the picture's path, if needs_file */
    struct frames *frames;     /* to make other pictures with; may be NULL */
    const struct lease *lease; /* for gold and people; models never look */
};

/* What it says. */
struct agent_reply {
    struct buf text; /* verbatim; foreign */
    bool has_action;
    struct action action; /* owned, if there is one */
    struct err error;     /* otherwise, why not */
    struct model_usage usage;
    int64_t latency_ms;
    struct extent picture; /* as it was sent; 0 x 0: none was, or unknown */
    int64_t request_bytes; /* of the whole question; 0: unknown */
};

void agent_reply_init(struct agent_reply *reply);
void agent_reply_release(struct agent_reply *reply);

struct agent;

struct agent_ops {
    /* A new episode, the repeat-th of the task; NULL: nothing to prepare. */
    bool (*begin)(struct agent *agent, const struct task *task, int repeat,
                  struct err *err);
    /*
     * Decide. A reply without an action is a success here. Fails only for what
     * is not the agent's fault, or for ERR_CANCELLED: docs/runs.md has the
     * table of what is void.
     */
    bool (*decide)(struct agent *agent, const struct agent_view *view,
                   struct deadline by, const struct cancel *cancel,
                   struct agent_reply *reply, struct err *err);
    /* The episode is over; NULL: nothing to do. */
    void (*end)(struct agent *agent);
    void (*close)(struct agent *agent);
};

/* An implementation has this as its first member. Of one thread at a time. */
struct agent {
    const struct agent_ops *ops;
    enum trajectory_actor actor;
    bool needs_tree;   /* decide wants the tree, so it is read before */
    bool needs_file;   /* decide wants the picture as a file */
    int keeps_screens; /* how many of the last pictures the past has */
};

/* NULL is fine. */
static inline void agent_close(struct agent *agent)
{
    if (agent)
        agent->ops->close(agent);
}

/*
 * Makes agents, one per worker, from "random:7", "exec:COMMAND" and so on:
 * runner/agents.h.
 */
struct agent_maker {
    bool (*make)(const struct agent_maker *maker, struct agent **agent,
                 struct err *err);
    void *context;
};

#endif
