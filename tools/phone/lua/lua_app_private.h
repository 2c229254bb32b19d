/* The fields of an app written in Lua, for lua_app*.c only. */
#ifndef TOOLS_PHONE_LUA_LUA_APP_PRIVATE_H
#define TOOLS_PHONE_LUA_LUA_APP_PRIVATE_H

#include "tools/phone/lua/lua_app.h"

#include <lua.h>

#include "tools/phone/lua/lua_pictures.h"

struct lua_app {
    struct phone_app app;
    char *name;
    struct phone_package package;
    struct handset *handset;
    struct task_stack *task_stack;
    struct truth_log *truth;
    uint64_t seed;
    unsigned skin;
    struct lua_pictures *pictures; /* owned */
    struct lua_sandbox *sandbox;   /* owned; NULL if it could not be opened */
    struct phone_theme theme;      /* of its hue, if themed */
    bool themed;
    float hue;      /* hue of its colours; 0: the system's */
    int64_t redraw; /* when its screen changes without an event; 0: never */
    unsigned long
        settings;     /* number of settings changes when it was last built */
    struct buf state; /* its state as JSON */
    bool stopped;
    struct err why; /* it stopped */
};

/* ---- lua_app.c ---- */

/* The time of the phone's clock. */
int64_t lua_app_time(const struct lua_app *app);

/* Write to the phone's log, as the app's process. */
void lua_app_log(struct lua_app *app, char level, const char *tag,
                 const char *text);

/* ---- lua_app_services.c ---- */

/* Push a table with the phone's functions for apps. */
void lua_app_push_services(lua_State *lua, struct lua_app *app);

/* ---- lua_app_stopped.c ---- */

/* Stop the app; the log and the ground truth get the reason. */
void lua_app_stop(struct lua_app *app, const struct err *why);

/* The screen of a stopped app, and the effect of a tap on it. */
void lua_app_build_stopped(const struct lua_app *app,
                           const struct phone_surroundings *around,
                           struct widget_tree *tree);
bool lua_app_handle_stopped(struct lua_app *app,
                            const struct phone_app_event *event);

#endif
