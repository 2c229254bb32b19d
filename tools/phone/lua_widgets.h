/*
 * Widgets as Lua has them, which are tables: { kind = "row", gap = 8, ... },
 * with the attributes of tools/phone/attribute.h by name and the children in
 * order. A kind is a function of the same name, too: row{ gap = 8, ... }.
 */
#ifndef PHONE_LUA_WIDGETS_H
#define PHONE_LUA_WIDGETS_H

#include <lua.h>

#include "tools/phone/widget.h"

#define LUA_WIDGETS_MAX 4000U /* on a screen */
#define LUA_WIDGETS_DEPTH_MAX 32

/*
 * For lua_sandbox_seal: a name that is not defined is a kind, or an error. A
 * kind notes the line it was called from, for what may be wrong about it.
 */
int lua_widgets_find(lua_State *lua);

/* widget(kind, { ... }): the same for parts that others call, at their line. */
int lua_widgets_make(lua_State *lua);

/*
 * Add the widget at the top of the stack, and all in it, to parent; or make
 * one that is there already what that table says, but for its kind.
 * An error of Lua's, with the widget's line, for what no widget has.
 *
 * Its action is the field "action", a number, and what it is told of is said
 * by the fields on_click, on_long_click, on_change and so on being there.
 */
void lua_widgets_add(lua_State *lua, struct widget *parent);
void lua_widgets_fill(lua_State *lua, struct widget *widget);

#endif
