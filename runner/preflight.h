/*
 * Is a phone ready for a suite? Looks at what each task requires, and says
 * what is missing and what to do about it.
 *
 * Nothing is changed on the phone but for one thing: to see whether somebody
 * is logged in, the app of such a task is brought to the front.
 */
#ifndef RUNNER_PREFLIGHT_H
#define RUNNER_PREFLIGHT_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/device.h"
#include "base/cancel.h"
#include "base/log.h"
#include "tasks/task.h"

#define PREFLIGHT_WORDS_MAX 320

/* One thing that is missing for one task. */
struct preflight_lack {
    const struct task *task; /* borrowed */
    char what[PREFLIGHT_WORDS_MAX];
    char advice[PREFLIGHT_WORDS_MAX];
};

struct preflight {
    struct preflight_lack *lacks; /* owned; in the order of the tasks */
    size_t count;
};

/* All of it is borrowed. */
struct preflight_options {
    struct device *device;
    bool renewable;     /* the phone can be had as new: a built-in one */
    const char *locale; /* tasks are asked in; NULL: in the phone's */
    const char *folder; /* of the suite, for crops; NULL: no crops */
    const struct cancel *cancel;
    const struct log *log;
};

/*
 * The caller releases preflight. What is missing is no failure; fails as
 * shell_run and observer_see do.
 */
MUST_USE bool preflight_check(const struct preflight_options *options,
                              const struct task *const *tasks, size_t count,
                              struct deadline by, struct preflight *preflight,
                              struct err *err);
void preflight_release(struct preflight *preflight);

#endif
