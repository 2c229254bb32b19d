/* Lua files that are embedded in the program: apps and preludes. */
#ifndef TOOLS_PHONE_LUA_LUA_FILES_H
#define TOOLS_PHONE_LUA_LUA_FILES_H

#include "base/embedded.h"

extern const struct embedded lua_files; /* "apps/clock.lua" */

#endif
