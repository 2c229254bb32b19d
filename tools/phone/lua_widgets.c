#include "tools/phone/lua_widgets.h"

#include <lauxlib.h>
#include <string.h>

#include "base/names.h"
#include "tools/phone/attribute.h"
#include "tools/phone/kinds.h"

/* ---- kinds as functions ---- */

/* kind{ ... }: the same table, which now says what it is. */
static int make(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_setfield(lua, 1, "kind");
    luaL_where(lua, 1);
    lua_setfield(lua, 1, "line");
    return 1;
}

int lua_widgets_make(lua_State *lua)
{
    luaL_checktype(lua, 2, LUA_TTABLE);
    lua_settop(lua, 2);
    lua_pushvalue(lua, 1);
    lua_setfield(lua, 2, "kind");
    luaL_where(lua, 2);
    lua_setfield(lua, 2, "line");
    return 1;
}

int lua_widgets_find(lua_State *lua)
{
    const char *name = luaL_tolstring(lua, 2, NULL);

    if (!kinds_find(name))
        return luaL_error(lua, "there is no %s", name);
    lua_pushcclosure(lua, make, 1);
    lua_pushvalue(lua, 2);
    lua_pushvalue(lua, -2);
    lua_rawset(lua, 1);
    return 1;
}

/* ---- one widget ---- */

/* The widget's table is at the top of the stack. */
static void refuse(lua_State *lua, const char *why)
{
    lua_getfield(lua, -1, "line");
    lua_pushfstring(lua, "%s%s", luaL_optstring(lua, -1, ""), why);
    lua_error(lua);
}

static struct attribute_value value_of(lua_State *lua, int index)
{
    struct attribute_value value = {.type = ATTRIBUTE_TEXT};

    switch (lua_type(lua, index)) {
    case LUA_TBOOLEAN:
        value.type = ATTRIBUTE_BOOL;
        value.yes = lua_toboolean(lua, index);
        break;
    case LUA_TNUMBER:
        value.type = ATTRIBUTE_NUMBER;
        value.number = lua_tonumber(lua, index);
        break;
    default:
        value.text = lua_tostring(lua, index);
    }
    return value;
}

static void set_attribute(lua_State *lua, struct widget *widget,
                          const char *name)
{
    struct attribute_value value = value_of(lua, -1);
    struct err err = ERR_INIT;

    if (value.type == ATTRIBUTE_TEXT && !value.text) {
        lua_pushfstring(lua, "%s is a %s", name, luaL_typename(lua, -1));
        lua_replace(lua, -2);
        lua_insert(lua, -2);
        refuse(lua, lua_tostring(lua, -2));
    }
    if (!attribute_set(widget, name, &value, &err)) {
        lua_pop(lua, 1);
        refuse(lua, err.text);
    }
}

/* Fields that a widget's table has for others than the widget. */
static bool is_ours(const char *name)
{
    static const char *const names[] = {"kind", "line", "action", "window",
                                        "modal"};

    return NAMES_HAVE(names, name) || !strncmp(name, "on_", 3);
}

static bool is_attribute(const char *name)
{
    const char *known;

    for (size_t i = 0; (known = attribute_name(i)); i++) {
        if (!strcmp(known, name))
            return true;
    }
    return false;
}

/* A name that nobody knows is a mistake, and said to be one. */
static void check_names(lua_State *lua, const struct widget *widget)
{
    lua_pushnil(lua);
    while (lua_next(lua, -2)) {
        const char *name;

        lua_pop(lua, 1);
        if (lua_type(lua, -1) != LUA_TSTRING)
            continue;
        name = lua_tostring(lua, -1);
        if (is_ours(name) || is_attribute(name))
            continue;
        lua_pushfstring(lua, "a %s has no %s", widget->kind->name, name);
        lua_insert(lua, -3);
        lua_pop(lua, 1);
        refuse(lua, lua_tostring(lua, -2));
    }
}

static void set_attributes(lua_State *lua, struct widget *widget)
{
    const char *name;

    check_names(lua, widget);
    for (size_t i = 0; (name = attribute_name(i)); i++) {
        lua_getfield(lua, -1, name);
        if (!lua_isnil(lua, -1))
            set_attribute(lua, widget, name);
        lua_pop(lua, 1);
    }
}

static bool has(lua_State *lua, const char *name)
{
    bool found = lua_getfield(lua, -1, name) != LUA_TNIL;

    lua_pop(lua, 1);
    return found;
}

static void set_action(lua_State *lua, struct widget *widget)
{
    if (lua_getfield(lua, -1, "action") == LUA_TNUMBER)
        widget->action = (int)lua_tointeger(lua, -1);
    lua_pop(lua, 1);
    if (has(lua, "on_click") || has(lua, "on_change"))
        widget->flags |= WIDGET_CLICKABLE | WIDGET_FOCUSABLE;
    if (has(lua, "on_long_click"))
        widget->flags |= WIDGET_LONG_CLICKABLE;
}

/* ---- a tree of them ---- */

static const struct widget_kind *kind_of(lua_State *lua)
{
    const struct widget_kind *kind = NULL;

    if (!lua_istable(lua, -1))
        luaL_error(lua, "a %s is no widget", luaL_typename(lua, -1));
    if (lua_getfield(lua, -1, "kind") == LUA_TSTRING)
        kind = kinds_find(lua_tostring(lua, -1));
    lua_pop(lua, 1);
    if (!kind)
        refuse(lua, "a table without a kind is no widget");
    return kind;
}

void lua_widgets_add(lua_State *lua, struct widget *parent)
{
    const struct widget_kind *kind = kind_of(lua);

    if (parent->depth >= LUA_WIDGETS_DEPTH_MAX)
        refuse(lua, "widgets within widgets, too deep");
    if (parent->tree->count >= LUA_WIDGETS_MAX)
        refuse(lua, "there are too many widgets");
    lua_widgets_fill(lua, widget_new(parent, kind));
}

void lua_widgets_fill(lua_State *lua, struct widget *widget)
{
    lua_Integer children = (lua_Integer)lua_rawlen(lua, -1);

    luaL_checkstack(lua, 8, NULL);
    set_attributes(lua, widget);
    set_action(lua, widget);
    for (lua_Integer i = 1; i <= children; i++) {
        lua_rawgeti(lua, -1, i);
        lua_widgets_add(lua, widget);
        lua_pop(lua, 1);
    }
}
