/*
 * Checks whether a phone is ready for a suite: finds what tasks require and the
 * phone lacks, with advice.
 *
 * The phone is changed in one way only: to check a login, the app is brought to
 * the front.
 */
#ifndef RUNNER_RUN_PREFLIGHT_H
#define RUNNER_RUN_PREFLIGHT_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/device/device.h"
#include "base/cancel.h"
#include "base/log.h"
#include "tasks/task/task.h"

#define PREFLIGHT_TEXT_MAX 320

/* One problem of one task. */
struct preflight_problem {
    const struct task *task; /* borrowed */
    const char *missing_app; /* a package to install, of the task; or NULL */
    char what[PREFLIGHT_TEXT_MAX];
    char advice[PREFLIGHT_TEXT_MAX];
};

struct preflight {
    struct preflight_problem *problems; /* owned; in task order */
    size_t count;
};

/* All of it is borrowed. */
struct preflight_options {
    struct device *device;
    bool renewable;     /* the phone can be reset: a built-in one */
    const char *locale; /* language of the tasks; NULL: the phone's */
    const char *folder; /* folder of the suite, for crops; NULL: no crops */
    const struct cancel *cancel;
    const struct log *log;
};

/*
 * Check all tasks. The caller releases preflight. A problem is not a failure.
 * Fails as shell_run and observer_observe.
 */
MUST_USE bool preflight_check(const struct preflight_options *options,
                              const struct task *const *tasks, size_t count,
                              struct deadline by, struct preflight *preflight,
                              struct err *err);
void preflight_release(struct preflight *preflight);

#endif
