/* The path of a finger for actions that give only a direction. */
#ifndef RUNNER_DEVICE_GESTURE_H
#define RUNNER_DEVICE_GESTURE_H

#include <stdbool.h>

#include "base/extent.h"
#include "tasks/task/action.h"

struct gesture {
    struct action_point from;
    struct action_point to;
    int milliseconds;
};

/*
 * Compute the path of a SWIPE, DRAG or SCROLL on a screen of that size. Paths
 * that are not given avoid the edges, where the system has its own gestures.
 * False when the action has neither an end point nor a direction.
 */
bool gesture_resolve(const struct action *action, struct extent screen,
                     struct gesture *gesture);

#endif
