/*
 * The task of an episode with its values filled in. It never changes, and the
 * copies of an environment share it.
 */
#ifndef TOOLS_ENV_ENV_ASSIGNMENT_H
#define TOOLS_ENV_ENV_ASSIGNMENT_H

#include <stdatomic.h>

#include "tasks/task/task.h"

struct env_assignment {
    atomic_int holders;
    struct task task;
    char *instruction; /* owned */
};

/* For one holder. Fails as task_resolve. */
MUST_USE bool env_assignment_new(const struct task *task,
                                 const struct task_values *values,
                                 struct env_assignment **assignment,
                                 struct err *err);

/* For one more holder; safe from any thread, as dropping is. */
struct env_assignment *env_assignment_hold(struct env_assignment *assignment);
void env_assignment_drop(struct env_assignment *assignment); /* NULL is fine */

#endif
