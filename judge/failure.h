/* Why an episode did not succeed, as far as its files tell. */
#ifndef JUDGE_FAILURE_H
#define JUDGE_FAILURE_H

#include <stdbool.h>

#include "base/macros.h"

enum failure_class {
    FAILURE_NONE,
    FAILURE_MISSED,     /* tapped nothing, or beside the target */
    FAILURE_REPEATED,   /* the same again and again, without effect */
    FAILURE_FOCUSED,    /* tapped a field that had the focus already */
    FAILURE_TYPED_TASK, /* typed the whole instruction into a search box */
    FAILURE_NEVER_SAID, /* reached the goal, and did not say so */
    FAILURE_TOO_EARLY,  /* said so before it was done */
    FAILURE_UNDONE,     /* passed the goal, and undid it */
    FAILURE_OUTSIDE,    /* an action that the task does not allow */
    FAILURE_UNPARSED,   /* replies without an action */
    FAILURE_BUDGET,     /* steps or time ran out */
    FAILURE_GAVE_UP,
    FAILURE_WRONG, /* done otherwise than asked */
    FAILURE_CLASSES,
};

#define FAILURE_WORDS_MAX 256

struct failure {
    enum failure_class class_;
    int step;     /* where it shows; -1: all over */
    int distance; /* of MISSED: pixels to the nearest control; -1 */
    char words[FAILURE_WORDS_MAX];
};

#define FAILURE_INIT                                                           \
    {                                                                          \
        .class_ = FAILURE_NONE, .step = -1, .distance = -1                     \
    }

/* As in JSON: "missed", "too_early". */
const char *failure_class_name(enum failure_class class_);
MUST_USE bool failure_class_find(const char *name, enum failure_class *class_);

#endif
