/* The inside of an app that is written in Lua, for lua_app*.c only. */
#ifndef PHONE_LUA_APP_PRIVATE_H
#define PHONE_LUA_APP_PRIVATE_H

#include "tools/phone/lua_app.h"

#include <lua.h>

struct lua_app {
    struct app app;
    char *name;
    struct package package;
    struct handset *handset;
    struct stage *stage;
    struct truth *truth;
    uint64_t seed;
    unsigned skin;
    struct lua_sandbox *sandbox; /* owned; NULL when it could not be opened */
    struct theme theme;
    float hue;              /* of its colours; 0: the system's */
    int64_t redraw;         /* when it looks different by itself; 0: never */
    unsigned long settings; /* their changes when it was last built */
    struct buf state;       /* as JSON */
    bool stopped;
    struct err why; /* it stopped */
};

/* ---- lua_app.c ---- */

/* What the phone's clock says. */
int64_t lua_app_time(const struct lua_app *app);

/* Write to the phone's log, as the app's process. */
void lua_app_log(struct lua_app *app, char level, const char *tag,
                 const char *text);

/* ---- lua_app_services.c ---- */

/* Push a table of what the app may use of the phone. */
void lua_app_push_services(lua_State *lua, struct lua_app *app);

/* ---- lua_app_stopped.c ---- */

/* It runs no further, and the log and the truth are told why. */
void lua_app_stop(struct lua_app *app, const struct err *why);

/* What is shown of an app that has stopped, and what a tap on that does. */
void lua_app_build_stopped(const struct lua_app *app,
                           const struct surroundings *around,
                           struct widget_tree *tree);
bool lua_app_handle_stopped(struct lua_app *app, const struct app_event *event);

#endif
