/* Parts of apps, in separate files. */
#ifndef TOOLS_PHONE_LUA_LUA_INCLUDE_H
#define TOOLS_PHONE_LUA_LUA_INCLUDE_H

#include <lua.h>

/*
 * include(name): what the built-in file apps/NAME.lua returns. It runs each
 * time.
 */
int lua_include(lua_State *lua);

#endif
