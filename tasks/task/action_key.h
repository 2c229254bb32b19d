/* The press of a key as an action. */
#ifndef TASKS_TASK_ACTION_KEY_H
#define TASKS_TASK_ACTION_KEY_H

#include "tasks/task/action.h"

/* Is there a separate action for the key, such as back? */
MUST_USE bool action_key_kind(int code, enum action_kind *kind);

/*
 * The action of a key (base/keycode.h) that is pressed once: its own, or
 * ACTION_KEY with its name. The caller releases it.
 */
struct action action_of_key(int code);

#endif
