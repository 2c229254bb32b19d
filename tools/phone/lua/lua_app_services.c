/* Functions of the phone that apps written in Lua may call. */
#include <lauxlib.h>
#include <stdio.h>

#include "tools/phone/lua/lua_app_private.h"
#include "tools/phone/lua/lua_include.h"
#include "tools/phone/lua/lua_json.h"
#include "tools/phone/lua/lua_packages.h"
#include "tools/phone/lua/lua_widget_kinds.h"

/* Only apps of the system may change other packages. */
#define SYSTEM_UID 1000

static struct lua_app *app_of(lua_State *lua)
{
    return lua_touserdata(lua, lua_upvalueindex(1));
}

static int tell_now(lua_State *lua)
{
    lua_pushnumber(lua,
                   (double)lua_app_time(app_of(lua)) / (double)PHONE_SECOND);
    return 1;
}

/* Wake the app after that many seconds; replaces an earlier call. */
static int wake_later(lua_State *lua)
{
    struct lua_app *app = app_of(lua);
    double seconds = luaL_optnumber(lua, 1, 0);
    struct phone_timer timer = {.owner = APP_TIMERS};
    uint64_t id;

    timers_forget(&app->handset->clock.timers, APP_TIMERS, app->package.name);
    if (lua_isnoneornil(lua, 1))
        return 0;

    luaL_argcheck(lua, seconds >= 0 && seconds <= 1e8, 1,
                  "no time that will come");
    timer.due = (int64_t)(seconds * (double)PHONE_SECOND);
    snprintf(timer.about, sizeof(timer.about), "%s", app->package.name);
    if (!virtual_clock_set_timer(&app->handset->clock, timer, &id))
        luaL_error(lua, "there are too many timers");
    return 0;
}

/* Build the current screen again after that time. */
static int redraw_after(lua_State *lua)
{
    struct lua_app *app = app_of(lua);
    double seconds = luaL_checknumber(lua, 1);

    luaL_argcheck(lua, seconds > 0 && seconds <= 1e6, 1, "no such time");
    app->redraw = lua_app_time(app) + (int64_t)(seconds * (double)PHONE_SECOND);
    return 0;
}

static int log_text(lua_State *lua)
{
    struct lua_app *app = app_of(lua);

    lua_app_log(app, 'D', app->name, luaL_tolstring(lua, 1, NULL));
    return 0;
}

static int tell_event(lua_State *lua)
{
    struct lua_app *app = app_of(lua);
    const char *event = luaL_checkstring(lua, 1);
    int count = lua_gettop(lua) - 1;

    lua_createtable(lua, count, 0);
    for (int i = 1; i <= count; i++) {
        lua_pushvalue(lua, i + 1);
        lua_rawseti(lua, -2, i);
    }
    buf_clear(&app->state);
    lua_json_write(lua, -1, "event", &app->state);
    if (app->truth)
        truth_log_event(app->truth, lua_app_time(app), app->name, event,
                        buf_cstr(&app->state));
    return 0;
}

static int start_app(lua_State *lua)
{
    struct lua_app *app = app_of(lua);

    task_stack_launch(app->task_stack, luaL_checkstring(lua, 1),
                      app->package.uid);
    return 0;
}

static int finish_app(lua_State *lua)
{
    struct lua_app *app = app_of(lua);

    task_stack_finish(app->task_stack, &app->app);
    return 0;
}

static enum settings_space space_of(lua_State *lua)
{
    enum settings_space space = SETTINGS_SYSTEM;

    if (!settings_find_space(luaL_checkstring(lua, 1), &space))
        luaL_argerror(lua, 1, "system, secure or global");
    return space;
}

static int get_setting(lua_State *lua)
{
    struct lua_app *app = app_of(lua);
    enum settings_space space = space_of(lua);

    buf_clear(&app->state);
    if (!settings_get(&app->handset->settings, space, luaL_checkstring(lua, 2),
                      &app->state))
        return 0;
    lua_pushstring(lua, buf_cstr(&app->state));
    return 1;
}

static int set_setting(lua_State *lua)
{
    struct lua_app *app = app_of(lua);
    enum settings_space space = space_of(lua);

    if (!settings_put(&app->handset->settings, space, luaL_checkstring(lua, 2),
                      luaL_tolstring(lua, 3, NULL)))
        luaL_error(lua, "there are too many settings");
    return 0;
}

static int get_property(lua_State *lua)
{
    struct lua_app *app = app_of(lua);

    buf_clear(&app->state);
    props_get(&app->handset->props, luaL_checkstring(lua, 1), &app->state);
    lua_pushstring(lua, buf_cstr(&app->state));
    return 1;
}

static const luaL_Reg services[] = {
    {"now", tell_now},
    {"wake", wake_later},
    {"redraw", redraw_after},
    {"log", log_text},
    {"event", tell_event},
    {"launch", start_app},
    {"finish", finish_app},
    {"setting", get_setting},
    {"set_setting", set_setting},
    {"property", get_property},
    {"include", lua_include},
    {"next", lua_sandbox_next},
    {"widget", lua_widget_kinds_make},
    {NULL, NULL},
};

void lua_app_push_services(lua_State *lua, struct lua_app *app)
{
    luaL_newlibtable(lua, services);
    lua_pushlightuserdata(lua, app);
    luaL_setfuncs(lua, services, 1);
    lua_pictures_add(lua, app->pictures);
    if (app->package.uid == SYSTEM_UID)
        lua_packages_add(lua, app->handset, app->task_stack);
    lua_pushinteger(lua, (lua_Integer)app->seed);
    lua_setfield(lua, -2, "seed");
    lua_pushinteger(lua, app->skin);
    lua_setfield(lua, -2, "skin");
    lua_pushstring(lua, app->name);
    lua_setfield(lua, -2, "name");
}
