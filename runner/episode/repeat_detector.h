/* Detects equal actions in a row, which end an episode early. */
#ifndef RUNNER_EPISODE_REPEAT_DETECTOR_H
#define RUNNER_EPISODE_REPEAT_DETECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "runner/episode/episode_policy.h"
#include "tasks/task/action.h"

struct repeat_detector {
    struct action last;   /* owned */
    uint64_t screen_hash; /* of the screen before it */
    int count;
};

void repeat_detector_release(struct repeat_detector *repeats);

/*
 * Add an action on a screen with this hash and width. True when it is one too
 * many.
 */
MUST_USE bool repeat_detector_add(struct repeat_detector *repeats,
                                  const struct episode_policy *policy,
                                  const struct action *action,
                                  uint64_t screen_hash, int width);

#endif
