/* An app that shows only its name and version: for packages without code. */
#ifndef TOOLS_PHONE_APPS_PLACEHOLDER_APP_H
#define TOOLS_PHONE_APPS_PLACEHOLDER_APP_H

#include "tools/phone/activities/task_stack.h"

/* A task_stack_open_fn. */
struct phone_app *placeholder_app_open(const struct task_stack_opening *opening,
                                       void *context);

#endif
