/*
 * One finger on the screen, from the moment it comes down until it is lifted:
 * a tap, a long press, a swipe or a drag.
 */
#ifndef RUNNER_CLASSIFY_DOOR_GESTURE_H
#define RUNNER_CLASSIFY_DOOR_GESTURE_H

#include <stdint.h>

#include "base/extent.h"
#include "tasks/task/action.h"

struct door_gesture {
    bool down;
    struct action_point first;
    struct action_point last;
    int64_t since;
    int64_t moved_at; /* when it left its place; 0: never */
};

/* How far a finger may move and still tap: 8 dp, on a screen of 400 dp. */
int door_gesture_slop(struct extent screen);

void door_gesture_down(struct door_gesture *touch, struct action_point at,
                       int64_t now);
void door_gesture_move(struct door_gesture *touch, struct action_point at,
                       int64_t now, int slop);

/* A duration as an action has it, limited. */
int door_gesture_milliseconds(int64_t milliseconds);

/* It is lifted where it was last: what it did. */
struct action door_gesture_up(struct door_gesture *touch, int64_t now);

/* From a point to another one in a time, evenly. */
struct action door_gesture_path(struct action_point from,
                                struct action_point to, int milliseconds,
                                bool drags, int slop);

#endif
