/* An app's saved state: a parsed one reads back the same after writing. */
#include "tools/phone/lua/lua_json.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tools/phone/lua/lua_sandbox.h"

struct input {
    const uint8_t *data;
    size_t size;
    struct buf first;
    struct buf second;
};

static void read_and_write(lua_State *lua, void *context)
{
    struct input *input = context;

    lua_json_read(lua, (const char *)input->data, input->size);
    lua_json_write(lua, -1, "value", &input->first);
}

static void read_again(lua_State *lua, void *context)
{
    struct input *input = context;

    lua_json_read(lua, input->first.data, input->first.length);
    lua_json_write(lua, -1, "value", &input->second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct lua_sandbox_limits limits = {0};
    struct input input = {data, size, BUF_INIT(1 << 20), BUF_INIT(1 << 20)};
    struct lua_sandbox *sandbox;
    struct err err;

    if (!lua_sandbox_open(&limits, &sandbox, &err))
        abort();
    if (lua_sandbox_run(sandbox, read_and_write, &input, &err) &&
        (!lua_sandbox_run(sandbox, read_again, &input, &err) ||
         strcmp(buf_cstr(&input.first), buf_cstr(&input.second)) != 0))
        abort();
    lua_sandbox_close(sandbox);
    buf_release(&input.first);
    buf_release(&input.second);
    return 0;
}
