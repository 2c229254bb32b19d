/*
 * Data that only a built-in phone can report: the facts that tasks are made
 * from, where to tap for a given effect, and what really happened. Only gold
 * steps and the meter use it, never agents or judges.
 */
#ifndef RUNNER_DEVICE_TRUTH_SOURCE_H
#define RUNNER_DEVICE_TRUTH_SOURCE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/task/action.h"

struct truth_source;

/* Where a tap has a given effect. */
struct truth_target {
    bool shown; /* it is on the screen, and a tap at `at` has the effect */
    struct action_point at;
    /*
     * if not shown: the direction to scroll, with the finger at `at`; NONE: it
     * is not on this screen
     */
    enum action_direction scroll;
};

struct truth_source_ops {
    /* Get the facts of the truth with this name: an object of strings. */
    bool (*facts)(struct truth_source *truth_source, const char *truth,
                  struct cJSON **facts, struct err *err);
    /*
     * Find where to tap for a call such as "shop.sort price_asc": see
     * tools/phone/screen/screen.h.
     */
    bool (*locate)(struct truth_source *truth_source, const char *call,
                   struct truth_target *place, struct err *err);
    /*
     * Compare what happened since the last refresh with the truth of this name.
     * answer is the agent's answer; NULL: none. The result is {"met": bool,
     * "clauses": [{"name", "met"}], "events": [...]}.
     */
    bool (*judge)(struct truth_source *truth_source, const char *truth,
                  const char *answer, struct cJSON **verdict, struct err *err);
};

/* The first member of every implementation. */
struct truth_source {
    const struct truth_source_ops *ops;
};

#endif
