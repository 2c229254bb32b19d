/* Lua texts that are part of the program: its apps, and what they stand on. */
#ifndef PHONE_LUA_FILES_H
#define PHONE_LUA_FILES_H

#include <stddef.h>

struct lua_file {
    const char *name; /* as in tools/phone: "apps/clock.lua" */
    const char *text;
    size_t length;
};

/* Made by the build; sorted by name. */
extern const struct lua_file lua_files[];
extern const size_t lua_files_count;

/* The one of that name; NULL when there is none. */
const struct lua_file *lua_files_find(const char *name);

#endif
