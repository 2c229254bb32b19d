/*
 * One finger on the screen, from the moment it comes down until it is lifted:
 * a tap, a long press, a swipe or a drag; and two that pinch.
 */
#ifndef RUNNER_TOUCH_FINGER_GESTURE_H
#define RUNNER_TOUCH_FINGER_GESTURE_H

#include <stdint.h>

#include "base/extent.h"
#include "tasks/task/action.h"

struct finger_gesture {
    bool down;
    struct action_point first;
    struct action_point last;
    int64_t since;
    int64_t moved_at; /* when it left its place; 0: never */
};

/* How far a finger may move and still tap: 8 dp, on a screen of 400 dp. */
int finger_gesture_slop(struct extent screen);

void finger_gesture_down(struct finger_gesture *touch, struct action_point at,
                         int64_t now);
void finger_gesture_move(struct finger_gesture *touch, struct action_point at,
                         int64_t now, int slop);

/* A duration as an action has it, limited. */
int finger_gesture_milliseconds(int64_t milliseconds);

/* It is lifted where it was last: what it did. */
struct action finger_gesture_up(struct finger_gesture *touch, int64_t now);

/* From a point to another one in a time, evenly. */
struct action finger_gesture_path(struct action_point from,
                                  struct action_point to, int milliseconds,
                                  bool drags, int slop);

/* Two fingers that moved, until now; the caller releases it. */
struct action finger_gesture_pinch(const struct finger_gesture *a,
                                   const struct finger_gesture *b, int64_t now);

#endif
