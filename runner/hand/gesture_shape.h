/* Tells the gesture of fingers from their paths, after they were lifted. */
#ifndef RUNNER_HAND_GESTURE_SHAPE_H
#define RUNNER_HAND_GESTURE_SHAPE_H

#include "runner/hand/gesture_recognizer.h"

/* A length in pixels of the screen. */
int gesture_pixels(const struct gesture_options *options, int dp);

/* How far a finger may move and still tap. */
int gesture_slop(const struct gesture_options *options);

/* Fingers that tapped one after the other, a little overlapping? */
bool gesture_is_taps_in_turn(const struct gesture_finger *fingers,
                             size_t count);

/* At least one finger; the caller releases it. */
struct recognized_gesture gesture_of(const struct gesture_options *options,
                                     const struct gesture_finger *fingers,
                                     size_t count);

#endif
