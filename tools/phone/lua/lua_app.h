/*
 * An app written in Lua: one file, described in docs/phone-apps.md. Its state
 * is plain data, its screens are functions of that state, and its handlers
 * change it. An error or a reached limit stops the app: the phone then shows
 * that it keeps stopping, and logs where.
 */
#ifndef TOOLS_PHONE_LUA_LUA_APP_H
#define TOOLS_PHONE_LUA_LUA_APP_H

#include <stddef.h>
#include <stdint.h>

#include "tools/phone/activities/task_stack.h"
#include "tools/phone/lua/lua_sandbox.h"
#include "tools/phone/screen/app.h"
#include "tools/phone/system/handset.h"
#include "tools/phone/system/truth_log.h"

/* All pointers are borrowed while the app is open, except the text. */
struct lua_app_options {
    const char *name; /* its name in the log and the truth: "clock" */
    const char *text; /* name of the file */
    size_t length;
    const struct phone_package *package; /* copied */
    const struct phone_intent *intent;   /* for this call alone; may be NULL */
    uint64_t seed;
    unsigned skin;
    struct lua_sandbox_limits limits;
    struct handset *handset;
    struct task_stack *task_stack;
    struct truth_log *truth; /* may be NULL */
};

/* Never NULL: a file that cannot be opened gives an app that keeps stopping. */
struct phone_app *lua_app_open(const struct lua_app_options *options);

#endif
