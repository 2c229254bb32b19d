/* Where a finger goes when an action says only a direction. */
#ifndef RUNNER_GESTURE_H
#define RUNNER_GESTURE_H

#include <stdbool.h>

#include "runner/coords.h"
#include "tasks/action.h"

struct gesture {
    struct action_point from;
    struct action_point to;
    int milliseconds;
};

/*
 * The way of a SWIPE, DRAG or SCROLL on such a screen. Ways that are not given
 * keep clear of the edges, where a finger means something else to the system.
 * False when neither an end nor a direction is given.
 */
bool gesture_of(const struct action *action, struct extent screen,
                struct gesture *gesture);

#endif
