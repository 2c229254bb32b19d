/*
 * Widgets of tables in Lua, which functions of their kinds have marked
 * (lua_widget_kinds.h): row{ gap = 8, ... }, with the attributes of
 * tools/phone/widgets/widget_attribute.h by name and the children in order.
 */
#ifndef TOOLS_PHONE_LUA_LUA_WIDGETS_H
#define TOOLS_PHONE_LUA_LUA_WIDGETS_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/phone/widgets/widget.h"

#define LUA_WIDGETS_MAX 4000U /* on one screen */
#define LUA_WIDGETS_DEPTH_MAX 32

/* How tables become widgets. Valid until the stack is shorter than it was. */
struct lua_widgets {
    const char *locale; /* which of { en = ..., zh = ... } is shown; borrowed */
    bool skinned;       /* texts and ids depend on the skin */
    int toolkit;        /* index on the stack of the prelude's table */
    int names;          /* indexes of tables of lua_widgets.c */
    int actions;
    lua_Integer action_count; /* so far */
    uint64_t texts;           /* attributes that are shown, a bit for each */
    size_t text;              /* the attribute of that name, and the id's */
    size_t id;
};

/*
 * Prepare with the table at the top of the stack, which stays there:
 *     actions    a list that gets every widget that handles events; its place
 *                is the action of the widget
 *     handlers   the names that handlers may have
 *     synonym    chooses from a list of texts, by skin
 *     id         (id, kind): an id, by skin
 */
void lua_widgets_begin(lua_State *lua, struct lua_widgets *widgets);

/*
 * Add the widget at the top of the stack, with its children, to parent; or
 * apply its attributes to an existing one. Children are the values with whole
 * numbers, in order: widgets, lists of them, or false. A text in place of the
 * first is the widget's text. Raises a Lua error, with the widget's line, for
 * an unknown attribute or handler.
 */
void lua_widgets_add(lua_State *lua, struct lua_widgets *widgets,
                     struct widget *parent);
void lua_widgets_fill(lua_State *lua, struct lua_widgets *widgets,
                      struct widget *widget);

#endif
