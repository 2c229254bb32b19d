/* Why an episode did not succeed, according to its files. */
#ifndef JUDGE_VERDICT_FAILURE_H
#define JUDGE_VERDICT_FAILURE_H

#include <stdbool.h>

#include "base/macros.h"

enum failure_class {
    FAILURE_NONE,
    FAILURE_MISSED,        /* tapped an empty place, or beside the target */
    FAILURE_REPEATED,      /* repeated the same action without effect */
    FAILURE_FOCUSED,       /* tapped a field that had the focus already */
    FAILURE_TYPED_TASK,    /* typed the whole instruction into a search box */
    FAILURE_NOT_COMPLETED, /* reached the goal, but did not complete */
    FAILURE_TOO_EARLY,     /* completed before it was done */
    FAILURE_UNDONE,        /* reached the goal, and undid it */
    FAILURE_OUTSIDE,       /* an action that the task does not allow */
    FAILURE_BLOCKED,       /* an action that the guard or the phone refused */
    FAILURE_UNPARSED,      /* replies without an action */
    FAILURE_BUDGET,        /* steps or time ran out */
    FAILURE_GAVE_UP,
    FAILURE_WRONG, /* done differently than requested */
    FAILURE_CLASSES,
};

#define FAILURE_DESCRIPTION_MAX 256

struct failure {
    enum failure_class class_;
    int step;     /* the step; -1: no single one */
    int distance; /* of MISSED: pixels to the nearest control; -1 */
    char description[FAILURE_DESCRIPTION_MAX];
};

#define FAILURE_INIT                                                           \
    {                                                                          \
        .class_ = FAILURE_NONE, .step = -1, .distance = -1                     \
    }

/* As in JSON: "missed", "too_early". */
const char *failure_class_name(enum failure_class class_);
MUST_USE bool failure_class_find(const char *name, enum failure_class *class_);

#endif
