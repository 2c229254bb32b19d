/*
 * The openers of all apps. To add code for a package, add a line to the table
 * of openers, or to the table of scripts for a Lua app.
 */
#ifndef TOOLS_PHONE_APPS_APP_REGISTRY_H
#define TOOLS_PHONE_APPS_APP_REGISTRY_H

#include <stdint.h>

#include "tools/phone/activities/task_stack.h"
#include "tools/phone/system/handset.h"
#include "tools/phone/system/truth_log.h"

/* The arguments of app openers. Everything is borrowed. */
struct app_registry {
    struct handset *handset;
    struct truth_log *truth; /* may be NULL */
    uint64_t seed;
    unsigned skin;
    const char *directory; /* directory of scripts that replace the built-in
                              ones; NULL: none */
};

/* A task stack for these apps, with the launcher on it. */
struct task_stack *app_registry_task_stack(struct app_registry *apps);

#endif
