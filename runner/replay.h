/*
 * Doing again what was recorded, whoever did it: each target is found anew
 * by what is known of it, and after each step the screen is held against the
 * one that was recorded.
 */
#ifndef RUNNER_REPLAY_H
#define RUNNER_REPLAY_H

#include <stdbool.h>

#include "base/picture.h"
#include "runner/session.h"
#include "tasks/trajectory.h"

/* Screens that have as much in common are the same. */
#define REPLAY_ALIKE 0.6

/* How it went. */
struct replay_end {
    bool done;   /* to the last step */
    int all;     /* steps that there are to do */
    int steps;   /* that were done, and led where they should */
    int step;    /* of the recording, where it stopped; -1: nowhere */
    double like; /* the least alike screen so far, from 0 to 1 */
    char why[256];
    bool has_picture; /* expected | seen was drawn */
};

/*
 * Do all steps of a recording on the phone, which is where it began. picture
 * (may be NULL) gets the screen that was expected and the one that was seen
 * instead. A screen that is another, or a target that is not there, is no
 * failure: end says so. Fails when the phone is lost or it is cancelled.
 */
MUST_USE bool replay_play(struct session *session,
                          const struct trajectory *recorded,
                          struct picture *picture, struct replay_end *end,
                          struct err *err);

#endif
