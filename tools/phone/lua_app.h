/*
 * An app that is written in Lua: one file, which docs/phone-apps.md describes.
 *
 * Its state is plain data, its screens are functions of that state, and its
 * handlers change it. An error, or a limit that it reaches, stops the app: the
 * phone then says that it keeps stopping, and its log says where.
 */
#ifndef PHONE_LUA_APP_H
#define PHONE_LUA_APP_H

#include <stddef.h>
#include <stdint.h>

#include "tools/phone/app.h"
#include "tools/phone/handset.h"
#include "tools/phone/lua_sandbox.h"
#include "tools/phone/stage.h"
#include "tools/phone/truth.h"

/* All pointers are borrowed for as long as the app is open, but the text. */
struct lua_app_options {
    const char *name; /* in the log and the truth: "clock" */
    const char *text; /* the file's */
    size_t length;
    const struct package *package; /* copied */
    const struct intent *intent;   /* for this call alone; may be NULL */
    uint64_t seed;
    unsigned skin;
    struct lua_sandbox_limits limits;
    struct handset *handset;
    struct stage *stage;
    struct truth *truth; /* NULL: nobody asks */
};

/* Never NULL: a file that cannot be opened is an app that keeps stopping. */
struct app *lua_app_open(const struct lua_app_options *options);

#endif
