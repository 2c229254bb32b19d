/* The rules of an episode: see docs/runs.md. */
#ifndef RUNNER_EPISODE_EPISODE_POLICY_H
#define RUNNER_EPISODE_EPISODE_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "runner/agent.h"

enum policy_preset {
    POLICY_DEFAULT,
    POLICY_PROBENCH, /* as in the paper */
    POLICY_PRESETS,
};

struct episode_policy {
    uint32_t actions;  /* replace the task's actions; 0: the task's */
    int steps;         /* replace the task's steps; 0: the task's */
    int extra_steps;   /* in addition to those */
    int equal_actions; /* so many equal actions in a row end the episode */
    bool equal_on_any_screen; /* also if the screen changes in between */
    int equal_percent; /* points at most so far apart are equal, in percent of
                          the width */
    bool ask_again;    /* once, after a reply without an action */
    bool tree_first;   /* the tree is read before the agent is asked */
    enum agent_mode mode; /* what the agent gets of the screen */
};

/* "default", "probench". */
const char *policy_preset_name(enum policy_preset preset);

void policy_init(struct episode_policy *policy, enum policy_preset preset);

#endif
