/* The home screen: the date, the apps, and a search field. */
#ifndef TOOLS_PHONE_APPS_LAUNCHER_H
#define TOOLS_PHONE_APPS_LAUNCHER_H

#include "tools/phone/activities/task_stack.h"

#define LAUNCHER_PACKAGE "com.android.launcher3"

/* A task_stack_open_fn. */
struct phone_app *launcher_open(const struct task_stack_opening *opening,
                                void *context);

#endif
