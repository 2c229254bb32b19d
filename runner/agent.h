/*
 * The agent interface: a model, a program, a script, the gold steps, random
 * actions or a person. The observation, the task and the steps so far go in;
 * the reply, its action and its cost come out.
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
#include "runner/observe/element_list.h"
#include "runner/observe/observer.h"
#include "tasks/task/action.h"
#include "tasks/task/task.h"
#include "tasks/trajectory/trajectory.h"

struct device_lease;
struct door_recorder;

/* A step of the past. */
struct agent_past {
    struct action action;
    char *reply;    /* the agent's reply; NULL: none */
    char *notice;   /* why the action was not carried out; NULL: it was */
    struct buf png; /* the screenshot before it, for the last
                       agent.keeps_screens steps; empty otherwise */
};

/* The form in which an agent gets the screen. */
enum agent_mode {
    AGENT_SCREEN, /* the screenshot */
    AGENT_TREE,   /* the screenshot and the list of its elements */
    AGENT_MARKS,  /* the same, with a numbered box drawn around each element */
    AGENT_MODES,
};

/* "screen", "tree", "marks". */
const char *agent_mode_name(enum agent_mode mode);

/* The input of a decision. All of it is borrowed until decide returns. */
struct agent_view {
    /* with its variables filled in: see task_resolve */
    const struct task *task;
    const char *instruction;
    enum agent_mode mode;
    /*
     * with a tree only if the agent needs_tree or the mode has one; its png has
     * no marks
     */
    const struct observation *seen;
    const struct element_list *elements; /* NULL in mode AGENT_SCREEN */
    const struct agent_past *past;       /* all steps so far, oldest first */
    size_t past_count;
    const char *notice; /* what was wrong with the last reply; NULL: nothing */
    uint32_t actions;   /* the allowed actions: a bit per enum action_kind */
    int step;           /* from 0 */
    int steps_left;
    /* the episode's folder, where the agent may write files */
    const char *folder;
    /* path of the screenshot, if the agent needs_file */
    const char *screen_file;
    /* Called while decide waits, with what it waits for; NULL: not wanted. */
    void (*on_wait)(void *context, const char *text);
    void *wait_context;
    /* memory for scaled or marked pictures; may be NULL */
    struct frame_pool *frames;
    /* for the gold agent and people; models do not use it */
    const struct device_lease *lease;
};

/* The result of a decision. */
struct agent_reply {
    struct buf text; /* verbatim; untrusted */
    bool has_action;
    struct action action; /* owned, if has_action */
    struct err error;     /* the reason, if not has_action */
    struct model_usage usage;
    int64_t latency_ms;
    /* size of the picture as sent; 0 x 0: none, or unknown */
    struct extent picture;
    int64_t request_bytes; /* size of the whole request; 0: unknown */
};

void agent_reply_init(struct agent_reply *reply);
void agent_reply_release(struct agent_reply *reply);

/* The input of an agent that drives the phone itself. All of it is borrowed. */
struct agent_drive {
    const struct task *task; /* as in struct agent_view */
    const char *instruction;
    const char *locale; /* "en" or "zh" */
    const char *folder; /* the episode's, where the agent may write files */
    int steps;          /* how many actions it may do */
    struct extent screen;
    const struct device_lease *lease;
    /* what the agent does on the phone goes through it */
    struct door_recorder *recorder;
    const struct cancel *enough; /* fires when the episode is over */
};

/* An episode whose tokens are to be estimated. */
struct agent_estimate {
    struct extent screen;
    enum agent_mode mode;
    int steps;
    int requests_per_step; /* 2 where a reply without an action is asked for
                              again */
    size_t instruction_bytes;
};

struct agent;

struct agent_ops {
    /* An episode begins; repeat counts from 0. NULL: nothing to prepare. */
    bool (*begin)(struct agent *agent, const struct task *task, int repeat,
                  struct err *err);
    /*
     * Decide on the next action. A reply without an action is a success. Fails
     * only for reasons outside the agent, which make the episode void
     * (docs/runs.md has the table), and with ERR_CANCELLED.
     */
    bool (*decide)(struct agent *agent, const struct agent_view *view,
                   struct deadline by, const struct cancel *cancel,
                   struct agent_reply *reply, struct err *err);
    /*
     * Instead of decide: drive the phone to the end of the episode, and report
     * every action to the recorder before the phone gets it. The reply has the
     * last action: COMPLETE, ANSWER or FAIL. Returns soon after `enough` has
     * fired; the reply then does not matter. Fails as decide, and with
     * ERR_TIMEOUT when by passes.
     */
    bool (*drive)(struct agent *agent, const struct agent_drive *drive,
                  struct deadline by, const struct cancel *cancel,
                  struct agent_reply *reply, struct err *err);
    /* The episode ended; NULL: nothing to do. */
    void (*end)(struct agent *agent);
    void (*close)(struct agent *agent);
};

/* The first member of every implementation. One thread uses it at a time. */
struct agent {
    const struct agent_ops *ops;
    enum trajectory_actor actor;
    bool needs_tree;   /* the tree is read before decide is called */
    bool needs_file;   /* the screenshot is saved as a file before decide is
                          called */
    int keeps_screens; /* how many screenshots of past steps decide needs */
};

/* NULL is fine. */
static inline void agent_close(struct agent *agent)
{
    if (agent)
        agent->ops->close(agent);
}

/* Creates agents, one per worker: see runner/agents/agent_factory.h. */
struct agent_maker {
    bool (*make)(const struct agent_maker *maker, struct agent **agent,
                 struct err *err);
    void *context;
};

#endif
