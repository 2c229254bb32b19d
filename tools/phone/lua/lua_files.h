/* Lua files that are embedded in the program: apps and preludes. */
#ifndef TOOLS_PHONE_LUA_LUA_FILES_H
#define TOOLS_PHONE_LUA_LUA_FILES_H

#include "base/embedded.h"

extern const struct embedded lua_files; /* "apps/clock.lua" */

/*
 * Files that both apps and truths load after prelude/phone.lua, in this order;
 * NULL ends the list.
 */
extern const char *const lua_files_prelude[];

#endif
