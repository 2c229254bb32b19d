/* The rules that an episode is run by. docs/runs.md has them for people. */
#ifndef RUNNER_POLICY_H
#define RUNNER_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "runner/agent.h"

enum policy_preset {
    POLICY_USUAL,
    POLICY_PROBENCH, /* as in the paper */
    POLICY_PRESETS,
};

struct policy {
    uint32_t actions;     /* in place of the task's; 0: the task's */
    int steps;            /* the same */
    int equal_actions;    /* in a row end the episode */
    bool equal_anyhow;    /* whether or not the screen changes meanwhile */
    int equal_percent;    /* of the width: points as near as that are equal */
    bool ask_again;       /* once, after a reply without an action */
    bool tree_first;      /* the tree is read before the agent is asked */
    enum agent_mode mode; /* what the agent is shown */
};

/* "usual", "probench". */
const char *policy_preset_name(enum policy_preset preset);

void policy_init(struct policy *policy, enum policy_preset preset);

#endif
