/*
 * A sandbox for Lua in which scripts are harmless and deterministic.
 *
 * Scripts get a list of allowed functions; there are no files, processes,
 * clocks, other code, binary chunks, patterns, coroutines, metatables or pcall.
 * Each call has a limit of steps and CPU time, and all calls together one of
 * memory; a script cannot catch a reached limit. Functions written in C cost
 * steps for the work they do, so that a script is ended by its steps, always at
 * the same place; the time limit covers what steps cannot measure. Nothing
 * depends on addresses or the order of a hash table: pairs sorts the keys.
 */
#ifndef TOOLS_PHONE_LUA_LUA_SANDBOX_H
#define TOOLS_PHONE_LUA_LUA_SANDBOX_H

#include <lua.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/macros.h"

/* Length limit of a text, and of a list that is changed in the middle. */
#define LUA_SANDBOX_TEXT_MAX ((size_t)64 * 1024)
#define LUA_SANDBOX_LIST_MAX 100000

/* Zeros stand for the defaults. */
struct lua_sandbox_limits {
    size_t memory;           /* bytes of all live objects */
    int64_t steps;           /* steps of one call */
    int64_t time;            /* CPU nanoseconds of one call */
    const atomic_bool *stop; /* borrowed: set to true to end any call; NULL */
};

struct lua_sandbox;

/* Fails with ERR_LIMIT if the memory is not enough for an empty script. */
MUST_USE bool lua_sandbox_open(const struct lua_sandbox_limits *limits,
                               struct lua_sandbox **sandbox, struct err *err);
void lua_sandbox_close(struct lua_sandbox *sandbox); /* NULL is fine */

/*
 * Run work with Lua's API, with all steps of a call. Errors in it are caught:
 * err is "FILE:LINE: reason", ERR_LIMIT for a reached limit and ERR_INVALID
 * otherwise. Work must own nothing, as it may be interrupted; the stack is
 * restored afterwards.
 */
typedef void lua_sandbox_work_fn(lua_State *lua, void *context);

MUST_USE bool lua_sandbox_run(struct lua_sandbox *sandbox,
                              lua_sandbox_work_fn *work, void *context,
                              struct err *err);

/* Within work: compile a text, and leave its function on the stack. */
void lua_sandbox_load(lua_State *lua, const char *name, const char *text,
                      size_t length);

/* Within work: take steps for work that is done in C. */
void lua_sandbox_charge(lua_State *lua, size_t steps);

/*
 * Lua's original next, which scripts do not have: for uses without any order.
 */
int lua_sandbox_next(lua_State *lua);

/* Within work: let lookups of undefined names call a function or fail. */
void lua_sandbox_seal(lua_State *lua, lua_CFunction look_up);

#endif
