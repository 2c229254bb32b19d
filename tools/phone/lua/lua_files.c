#include "tools/phone/lua/lua_files.h"

#include <stddef.h>

const char *const lua_files_prelude[] = {
    "prelude/parts.lua",      "prelude/content.lua",
    "prelude/lists.lua",      "prelude/market.lua",
    "prelude/dates.lua",      "prelude/citymap.lua",
    "prelude/discussion.lua", NULL};
