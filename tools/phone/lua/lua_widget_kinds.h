/*
 * Kinds of widgets as functions of Lua: row{ gap = 8, ... } returns its table,
 * marked as a row. A marked table has the fields kind and line besides its own;
 * line is the position of the call, for messages: "shop.lua:7: ".
 */
#ifndef TOOLS_PHONE_LUA_LUA_WIDGET_KINDS_H
#define TOOLS_PHONE_LUA_LUA_WIDGET_KINDS_H

#include <lua.h>

struct widget_kind;

/* For lua_sandbox_seal: an undefined name is a kind, or an error. */
int lua_widget_kinds_find(lua_State *lua);

/*
 * widget(kind, { ... }): the same for helper functions, with the line of their
 * caller.
 */
int lua_widget_kinds_make(lua_State *lua);

/* The kind of the widget at the top of the stack; NULL: it is none. */
const struct widget_kind *lua_widget_kind(lua_State *lua);

#endif
