/*
 * Converts plain Lua data to JSON and back: the same data always gives the same
 * bytes, and those bytes the same data; integers and floats stay distinct.
 *
 * Plain data are booleans, integers, finite floats, UTF-8 texts, lists, and
 * tables with string keys. An empty table is written as a list.
 */
#ifndef TOOLS_PHONE_LUA_LUA_JSON_H
#define TOOLS_PHONE_LUA_LUA_JSON_H

#include <lua.h>
#include <stddef.h>

#include "base/buf.h"

#define LUA_JSON_DEPTH_MAX 32

/*
 * Append the value at index as JSON. Raises a Lua error if it is not plain
 * data, or beyond text's limit; name is used in the message: "state".
 */
void lua_json_write(lua_State *lua, int index, const char *name,
                    struct buf *text);

/* Push the value of a JSON text. Raises a Lua error if it is invalid. */
void lua_json_read(lua_State *lua, const char *text, size_t length);

#endif
