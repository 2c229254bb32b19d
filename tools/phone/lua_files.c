#include "tools/phone/lua_files.h"

#include <string.h>

const struct lua_file *lua_files_find(const char *name)
{
    for (size_t i = 0; i < lua_files_count; i++) {
        if (!strcmp(lua_files[i].name, name))
            return &lua_files[i];
    }
    return NULL;
}
