/*
 * Plain data of Lua's as JSON, and back: the same data always gives the same
 * bytes, and those bytes the same data, integers and floats told apart.
 *
 * Plain are booleans, integers, finite floats, UTF-8 texts, lists, and tables
 * by name. An empty table is written as a list.
 */
#ifndef PHONE_LUA_JSON_H
#define PHONE_LUA_JSON_H

#include <lua.h>
#include <stddef.h>

#include "base/buf.h"

#define LUA_JSON_DEPTH_MAX 32

/*
 * Append the value at index. An error of Lua's for what is not plain data, and
 * beyond text's limit; name is what the value is called there: "state".
 */
void lua_json_write(lua_State *lua, int index, const char *name,
                    struct buf *text);

/* Push the value of a text that has nothing else. An error if it is not one. */
void lua_json_read(lua_State *lua, const char *text, size_t length);

#endif
