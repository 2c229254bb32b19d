#include "tools/phone/lua/lua_include.h"

#include <stdio.h>

#include <lauxlib.h>

#include "tools/phone/lua/lua_files.h"
#include "tools/phone/lua/lua_sandbox.h"

#define NAME_MAX_LENGTH 64

int lua_include(lua_State *lua)
{
    char path[NAME_MAX_LENGTH + 16];
    const struct embedded_file *file;

    snprintf(path, sizeof(path), "apps/%s.lua", luaL_checkstring(lua, 1));
    file = embedded_find(&lua_files, path);
    if (!file)
        return luaL_error(lua, "there is no %s", path);
    lua_sandbox_load(lua, file->name, file->text, file->length);
    lua_call(lua, 0, 1);
    return 1;
}
