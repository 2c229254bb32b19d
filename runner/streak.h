/* The same action over and over: when an episode is to end early. */
#ifndef RUNNER_STREAK_H
#define RUNNER_STREAK_H

#include <stdbool.h>
#include <stdint.h>

#include "runner/policy.h"
#include "tasks/action.h"

struct streak {
    struct action last; /* owned */
    uint64_t looks;     /* of the screen on which it was done */
    int count;
};

void streak_release(struct streak *streak);

/*
 * An action on a screen of these looks, whose width is that. True when it is
 * one too many.
 */
MUST_USE bool streak_add(struct streak *streak, const struct policy *policy,
                         const struct action *action, uint64_t looks,
                         int width);

#endif
