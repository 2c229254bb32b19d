/*
 * What only a phone made of software can tell: facts that tasks are made of,
 * where to tap for a given effect, and what really happened. Agents and judges
 * never get to see any of it; gold and the meter do.
 */
#ifndef RUNNER_ORACLE_H
#define RUNNER_ORACLE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/action.h"

struct oracle;

/* Where a tap has a given effect. */
struct oracle_place {
    bool shown; /* it is on the screen, and a tap at `at` meets it */
    struct action_point at;
    enum action_direction scroll; /* not yet: scroll so, with the finger at
                                     `at`; NONE: it is not here */
};

struct oracle_ops {
    /* An object of texts for what the truth of this name calls its facts. */
    bool (*facts)(struct oracle *oracle, const char *truth,
                  struct cJSON **facts, struct err *err);
    /* Such as "shop.sort price_asc": tools/phone/screen.h says how. */
    bool (*locate)(struct oracle *oracle, const char *call,
                   struct oracle_place *place, struct err *err);
    /*
     * What happened since the last refresh, held against the truth of this
     * name. answer is what the agent answered; NULL: nothing. The object has
     * "met": a bool, "clauses": [{"name", "met"}], and "events": [...].
     */
    bool (*judge)(struct oracle *oracle, const char *truth, const char *answer,
                  struct cJSON **verdict, struct err *err);
};

/* An implementation has this as its first member. */
struct oracle {
    const struct oracle_ops *ops;
};

#endif
