/*
 * Lua that can do no harm, and does the same every time.
 *
 * What it may use is listed, and everything else is missing: files, processes,
 * clocks, other code, binary chunks, patterns, coroutines, metatables, pcall.
 * Each call has so many steps, and all calls together so much memory; neither
 * limit can be caught. Nothing depends on addresses or on the order of a hash
 * table: pairs goes by sorted keys.
 */
#ifndef PHONE_LUA_SANDBOX_H
#define PHONE_LUA_SANDBOX_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/macros.h"

/* No text is longer than this, and no list that is changed in the middle. */
#define LUA_SANDBOX_TEXT_MAX ((size_t)64 * 1024)
#define LUA_SANDBOX_LIST_MAX 100000

/* Zeros stand for the defaults. */
struct lua_sandbox_limits {
    size_t memory; /* bytes, of all that is alive at once */
    int64_t steps; /* of one call */
};

struct lua_sandbox;

/* Fails with ERR_LIMIT when the memory is not even enough to begin. */
MUST_USE bool lua_sandbox_open(const struct lua_sandbox_limits *limits,
                               struct lua_sandbox **sandbox, struct err *err);
void lua_sandbox_close(struct lua_sandbox *sandbox); /* NULL is fine */

/*
 * Do some work with Lua's API, with all of a call's steps. What goes wrong in
 * it ends up here: err is "FILE:LINE: why", ERR_LIMIT for a limit that was
 * reached and ERR_INVALID for anything else. Work owns nothing, as it may not
 * get to its end; the stack is afterwards as it was before.
 */
typedef void lua_sandbox_work_fn(lua_State *lua, void *context);

MUST_USE bool lua_sandbox_run(struct lua_sandbox *sandbox,
                              lua_sandbox_work_fn *work, void *context,
                              struct err *err);

/* Within work: compile a text, and leave its function on the stack. */
void lua_sandbox_load(lua_State *lua, const char *name, const char *text,
                      size_t length);

/* Lua's own next, which scripts do not have: for who cares about no order. */
int lua_sandbox_next(lua_State *lua);

/* Within work: let names that no script defines be looked up and refused. */
void lua_sandbox_seal(lua_State *lua, lua_CFunction look_up);

#endif
