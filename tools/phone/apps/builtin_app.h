/* A built-in app written in C: its opening arguments, and how it is closed. */
#ifndef TOOLS_PHONE_APPS_BUILTIN_APP_H
#define TOOLS_PHONE_APPS_BUILTIN_APP_H

#include "tools/phone/activities/task_stack.h"

/* Implementations embed this as their first member. */
struct builtin_app {
    struct phone_app app;
    struct task_stack *task_stack;
};

/* Zeroed memory of that size, which starts with such an app. */
void *builtin_app_new(size_t size, const struct phone_app_ops *ops,
                      const struct task_stack_opening *opening);

/* For app_ops of apps that own nothing else. */
void builtin_app_close(struct phone_app *app);

#endif
