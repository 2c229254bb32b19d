/*
 * An app that is a part of the phone and not written in Lua: what it is opened
 * with and how it ends.
 */
#ifndef PHONE_BUILTIN_APP_H
#define PHONE_BUILTIN_APP_H

#include "tools/phone/stage.h"

/* Implementations embed this as their first member. */
struct builtin_app {
    struct app app;
    struct stage *stage;
};

/* Zeroed memory of that size, which begins with such an app. */
void *builtin_app_new(size_t size, const struct app_ops *ops,
                      const struct stage_opening *opening);

/* For app_ops, where there is nothing else to release. */
void builtin_app_close(struct app *app);

#endif
