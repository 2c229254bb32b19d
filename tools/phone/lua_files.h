/* Lua texts that are part of the program: its apps, and what they stand on. */
#ifndef PHONE_LUA_FILES_H
#define PHONE_LUA_FILES_H

#include "base/embedded.h"

extern const struct embedded lua_files; /* "apps/clock.lua" */

#endif
