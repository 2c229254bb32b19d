/* The recent apps: a card for each running app, the last used first. */
#ifndef TOOLS_PHONE_APPS_RECENT_APPS_H
#define TOOLS_PHONE_APPS_RECENT_APPS_H

#include "tools/phone/activities/task_stack.h"

/* A task_stack_open_fn. */
struct phone_app *recent_apps_open(const struct task_stack_opening *opening,
                                   void *context);

#endif
