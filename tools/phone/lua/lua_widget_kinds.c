#include "tools/phone/lua/lua_widget_kinds.h"

#include <lauxlib.h>
#include <stdint.h>

#include "tools/phone/widgets/widget_kinds.h"

/* In Lua's registry: marks by kind. */
#define REGISTERED_MARKS "proctor.marks"

/*
 * A widget is marked by its metatable, which all widgets of a kind and line
 * share: so a mark takes no memory, and its fields are no attributes.
 *
 *     { [1] = the kind, __index = { kind = "row", line = "shop.lua:7: " } }
 */
static void push_new_mark(lua_State *lua, const char *name, int level)
{
    lua_createtable(lua, 1, 1);
    lua_pushlightuserdata(lua, (void *)(uintptr_t)widget_kinds_find(name));
    lua_rawseti(lua, -2, 1);
    lua_createtable(lua, 0, 2);
    lua_pushstring(lua, name);
    lua_setfield(lua, -2, "kind");
    luaL_where(lua, level);
    lua_setfield(lua, -2, "line");
    lua_setfield(lua, -2, "__index");
}

/* Push the table of that address in the table at the index. */
static void push_by_address(lua_State *lua, int index, const void *address)
{
    index = lua_absindex(lua, index);
    if (lua_rawgetp(lua, index, address) == LUA_TTABLE)
        return;
    lua_pop(lua, 1);
    lua_newtable(lua);
    lua_pushvalue(lua, -1);
    lua_rawsetp(lua, index, address);
}

/*
 * Mark the table at the index. marks is the index of the kind's marks by file
 * and line; level is that of the caller whose line counts.
 */
static void mark(lua_State *lua, int index, const char *name, int marks,
                 int level)
{
    lua_Debug at = {.source = "", .currentline = -1};

    if (lua_getstack(lua, level, &at))
        lua_getinfo(lua, "Sl", &at);
    push_by_address(lua, marks, at.source);
    if (lua_rawgeti(lua, -1, at.currentline) != LUA_TTABLE) {
        lua_pop(lua, 1);
        push_new_mark(lua, name, level);
        lua_pushvalue(lua, -1);
        lua_rawseti(lua, -3, at.currentline);
    }
    lua_setmetatable(lua, index);
    lua_pop(lua, 1);
}

/* Push the marks of a kind. */
static void push_marks(lua_State *lua, const char *name)
{
    luaL_getsubtable(lua, LUA_REGISTRYINDEX, REGISTERED_MARKS);
    luaL_getsubtable(lua, -1, name);
    lua_remove(lua, -2);
}

/* kind{ ... }: returns the table, marked. */
static int make(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    mark(lua, 1, lua_tostring(lua, lua_upvalueindex(1)), lua_upvalueindex(2),
         1);
    return 1;
}

static void check_kind(lua_State *lua, const char *name)
{
    if (!widget_kinds_find(name))
        luaL_error(lua, "there is no %s", name);
}

int lua_widget_kinds_make(lua_State *lua)
{
    const char *name = luaL_checkstring(lua, 1);

    luaL_checktype(lua, 2, LUA_TTABLE);
    lua_settop(lua, 2);
    check_kind(lua, name);
    push_marks(lua, name);
    mark(lua, 2, name, 3, 2);
    lua_settop(lua, 2);
    return 1;
}

int lua_widget_kinds_find(lua_State *lua)
{
    const char *name = luaL_tolstring(lua, 2, NULL);

    check_kind(lua, name);
    push_marks(lua, name);
    lua_pushcclosure(lua, make, 2);
    lua_pushvalue(lua, 2);
    lua_pushvalue(lua, -2);
    lua_rawset(lua, 1);
    return 1;
}

const struct widget_kind *lua_widget_kind(lua_State *lua)
{
    const struct widget_kind *kind;

    if (!lua_istable(lua, -1) || !lua_getmetatable(lua, -1))
        return NULL;
    lua_rawgeti(lua, -1, 1);
    kind = lua_touserdata(lua, -1);
    lua_pop(lua, 2);
    return kind;
}
