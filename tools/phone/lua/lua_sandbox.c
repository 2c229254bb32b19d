#include "tools/phone/lua/lua_sandbox.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/deadline.h"
#include "base/mem.h"
#include "tools/phone/lua/lua_files.h"
#include "tools/phone/lua/lua_pool.h"

#define MEMORY_DEFAULT ((size_t)16 << 20)
#define STEPS_DEFAULT INT64_C(5000000)
#define TIME_DEFAULT INT64_C(5000000000)

/* Steps are counted in units of this many. */
#define STEPS_AT_ONCE 1000

/*
 * Work that takes long in few steps costs more: allocation by size, garbage
 * collection at the memory limit, and C functions by the length of their input.
 */
#define BYTES_PER_STEP 16
#define VALUES_PER_STEP 4
#define STEPS_PER_REFUSAL 100000

/* Up to this much above the limit, the script is stopped at its line. */
#define MEMORY_SLACK ((size_t)1 << 20)

struct lua_sandbox {
    lua_State *lua; /* owned */
    struct lua_pool pool;
    size_t memory; /* bytes in use */
    size_t memory_max;
    int64_t steps; /* steps left in this call */
    int64_t steps_max;
    int64_t time_max;
    int64_t time_ends;  /* end of this call, on the thread's CPU clock */
    int64_t look_again; /* when to read that clock next, by clock_ns */
    const atomic_bool *stop;
    const char
        *excess;    /* why the script must stop at once; NULL: it need not */
    char place[80]; /* the script's last known position: "FILE:LINE: " */
};

static struct lua_sandbox *sandbox_of(lua_State *lua)
{
    return *(struct lua_sandbox **)lua_getextraspace(lua);
}

/* ---- limits ---- */

static void note_place(struct lua_sandbox *sandbox, lua_Debug *at)
{
    lua_getinfo(sandbox->lua, "Sl", at);
    snprintf(sandbox->place, sizeof(sandbox->place),
             "%.48s:%d: ", at->short_src, at->currentline);
}

/* CPU time of this thread. */
static int64_t processor_time(void)
{
    struct timespec used;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * INT64_C(1000000000) + used.tv_nsec;
}

/* Reading that clock is slow: it is read only when the time may be up. */
static bool time_is_up(struct lua_sandbox *sandbox)
{
    int64_t now = clock_ns();
    int64_t left;

    if (now < sandbox->look_again)
        return false;
    left = sandbox->time_ends - processor_time();
    sandbox->look_again = now + left;
    return left <= 0;
}

/* Stop the script here if a limit is reached. */
static void check_limits(lua_State *lua, struct lua_sandbox *sandbox)
{
    if (sandbox->steps <= 0 || time_is_up(sandbox))
        sandbox->excess = "it takes too long";
    else if (sandbox->stop && atomic_load(sandbox->stop))
        sandbox->excess = "the phone is switched off";
    if (!sandbox->excess)
        return;
    lua_pushfstring(lua, "%s%s", sandbox->place, sandbox->excess);
    lua_error(lua);
}

static void watch(lua_State *lua, lua_Debug *at)
{
    struct lua_sandbox *sandbox = sandbox_of(lua);

    note_place(sandbox, at);
    sandbox->steps -= lua_gethookcount(lua);
    check_limits(lua, sandbox);
}

void lua_sandbox_charge(lua_State *lua, size_t steps)
{
    struct lua_sandbox *sandbox = sandbox_of(lua);
    lua_Debug at;

    sandbox->steps -= (int64_t)steps;
    if (sandbox->steps > 0)
        return;
    if (lua_getstack(lua, 1, &at))
        note_place(sandbox, &at);
    check_limits(lua, sandbox);
}

/* The allocator cannot stop a script, but the next step can. */
static void stop_soon(struct lua_sandbox *sandbox, const char *why)
{
    if (!sandbox->lua)
        return;
    sandbox->excess = why;
    lua_sethook(sandbox->lua, watch, LUA_MASKCOUNT, 1);
}

/* May a block grow by this much? */
static bool grant(struct lua_sandbox *sandbox, size_t more, bool is_text)
{
    size_t room = sandbox->memory_max - sandbox->memory;

    if (more > room || (is_text && more > MEMORY_SLACK)) {
        sandbox->steps -= STEPS_PER_REFUSAL;
        return false;
    }
    sandbox->steps -= (int64_t)(more / BYTES_PER_STEP);
    if (is_text && more > LUA_SANDBOX_TEXT_MAX)
        stop_soon(sandbox, "a text is too long");
    else if (room - more < MEMORY_SLACK)
        stop_soon(sandbox, "the memory limit is reached");
    return true;
}

/* A lua_Alloc: for a new block, old_size is its type. */
static void *allocate(void *context, void *old, size_t old_size, size_t size)
{
    struct lua_sandbox *sandbox = context;
    bool is_text = !old && old_size == LUA_TSTRING;
    size_t held = old ? old_size : 0;

    if (size > held && !grant(sandbox, size - held, is_text))
        return NULL;
    sandbox->memory = sandbox->memory - held + size;
    return lua_pool_resize(&sandbox->pool, old, old_size, size);
}

/* ---- allowed functions ---- */

/*
 * Call the function behind a guard in the guard's own frame: so its errors name
 * it, and the script's line.
 */
static int call_guarded(lua_State *lua)
{
    return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

/* Costs steps by the length of its arguments and results. */
static int pay(lua_State *lua)
{
    size_t bytes = 0;
    int results;

    for (int i = 1; i <= lua_gettop(lua); i++) {
        if (lua_type(lua, i) == LUA_TSTRING)
            bytes += lua_rawlen(lua, i);
    }
    lua_sandbox_charge(lua, bytes / BYTES_PER_STEP);
    results = call_guarded(lua);
    lua_sandbox_charge(lua, (size_t)results / VALUES_PER_STEP);
    return results;
}

/* tostring without addresses. */
static int say(lua_State *lua)
{
    luaL_checkany(lua, 1);
    switch (lua_type(lua, 1)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
    case LUA_TSTRING:
        luaL_tolstring(lua, 1, NULL);
        break;
    default:
        lua_pushstring(lua, luaL_typename(lua, 1));
    }
    return 1;
}

/* Does a format contain %p, as "%p" and "%-20p" do? */
static bool wants_address(const char *format)
{
    for (; *format; format++) {
        if (*format != '%')
            continue;
        format++;
        format += strspn(format, "-+ #0123456789.");
        if (*format == 'p')
            return true;
        if (!*format)
            return false;
    }
    return false;
}

static int format(lua_State *lua)
{
    for (int i = 2; i <= lua_gettop(lua); i++)
        luaL_argcheck(lua,
                      lua_type(lua, i) <= LUA_TSTRING &&
                          lua_type(lua, i) != LUA_TLIGHTUSERDATA,
                      i, "only texts, numbers and booleans have a format");
    luaL_argcheck(lua, !wants_address(luaL_checkstring(lua, 1)), 1,
                  "there are no addresses");
    return pay(lua);
}

static int repeat(lua_State *lua)
{
    lua_Integer count = luaL_checkinteger(lua, 2);
    size_t length, between;

    luaL_checklstring(lua, 1, &length);
    luaL_optlstring(lua, 3, "", &between);
    length = length + between ? length + between : 1;
    luaL_argcheck(lua,
                  count < 1 || length <= LUA_SANDBOX_TEXT_MAX / (size_t)count,
                  2, "the text would be too long");
    lua_settop(lua, 3);
    return call_guarded(lua);
}

/* Finds a plain text: patterns could take exponential time. */
static int find(lua_State *lua)
{
    size_t length, wanted;
    const char *text = luaL_checklstring(lua, 1, &length);
    const char *what = luaL_checklstring(lua, 2, &wanted);
    lua_Integer from = luaL_optinteger(lua, 3, 1);
    const char *found;

    luaL_argcheck(lua, from >= 1, 3, "positions begin at 1");
    lua_sandbox_charge(lua, (length + wanted) / BYTES_PER_STEP);
    if ((size_t)from > length + 1)
        return 0;
    found = wanted ? memmem(text + from - 1, length - (size_t)from + 1, what,
                            wanted)
                   : text + from - 1;
    if (!found)
        return 0;
    lua_pushinteger(lua, found - text + 1);
    lua_pushinteger(lua, found - text + (lua_Integer)wanted);
    return 2;
}

/*
 * Guards a function that works on a whole list: concat does; insert and remove
 * do with a position.
 */
static int change_list(lua_State *lua)
{
    size_t length;

    luaL_checktype(lua, 1, LUA_TTABLE);
    length = lua_rawlen(lua, 1);
    luaL_argcheck(lua, length <= LUA_SANDBOX_LIST_MAX, 1,
                  "the list is too long");
    lua_sandbox_charge(lua, length / VALUES_PER_STEP);
    return call_guarded(lua);
}

/* At the end of the list nothing is moved. */
static int change_end(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    return call_guarded(lua);
}

static int insert(lua_State *lua)
{
    return lua_gettop(lua) > 2 ? change_list(lua) : change_end(lua);
}

static int take_out(lua_State *lua)
{
    return lua_gettop(lua) > 1 ? change_list(lua) : change_end(lua);
}

/* Allowed functions of Lua's libraries, and the guards of some of them. */
struct allowed {
    const char *name;
    lua_CFunction guard; /* called instead, with the function as an upvalue */
};

static const struct allowed allowed_base[] = {
    {"assert", NULL}, {"error", NULL},   {"ipairs", NULL},  {"select", pay},
    {"type", NULL},   {"tonumber", pay}, {"tostring", say},
};

static const struct allowed allowed_string[] = {
    {"byte", pay}, {"char", pay},  {"find", find},  {"format", format},
    {"len", NULL}, {"lower", pay}, {"rep", repeat}, {"reverse", pay},
    {"sub", pay},  {"upper", pay},
};

static const struct allowed allowed_table[] = {
    {"concat", change_list}, {"insert", insert}, {"pack", pay},
    {"remove", take_out},    {"unpack", pay},
};

static const struct allowed allowed_math[] = {
    {"abs", NULL},   {"acos", NULL}, {"asin", NULL},       {"atan", NULL},
    {"ceil", NULL},  {"cos", NULL},  {"deg", NULL},        {"exp", NULL},
    {"floor", NULL}, {"fmod", NULL}, {"huge", NULL},       {"log", NULL},
    {"max", NULL},   {"min", NULL},  {"maxinteger", NULL}, {"mininteger", NULL},
    {"modf", NULL},  {"pi", NULL},   {"rad", NULL},        {"sin", NULL},
    {"sqrt", NULL},  {"tan", NULL},  {"tointeger", NULL},  {"type", NULL},
    {"ult", NULL},
};

static const struct allowed allowed_utf8[] = {
    {"char", pay}, {"codepoint", pay}, {"codes", pay},
    {"len", pay},  {"offset", pay},
};

static const struct library {
    const char *name; /* NULL: the names are global */
    lua_CFunction open;
    const struct allowed *allowed;
    size_t count;
} libraries[] = {
    {NULL, luaopen_base, allowed_base, ARRAY_LEN(allowed_base)},
    {"string", luaopen_string, allowed_string, ARRAY_LEN(allowed_string)},
    {"table", luaopen_table, allowed_table, ARRAY_LEN(allowed_table)},
    {"math", luaopen_math, allowed_math, ARRAY_LEN(allowed_math)},
    {"utf8", luaopen_utf8, allowed_utf8, ARRAY_LEN(allowed_utf8)},
};

/*
 * Copy the allowed functions of the library at the top to the table below it.
 */
static void copy_allowed(lua_State *lua, const struct library *library)
{
    for (size_t i = 0; i < library->count; i++) {
        const struct allowed *allowed = &library->allowed[i];

        lua_getfield(lua, -1, allowed->name);
        if (allowed->guard)
            lua_pushcclosure(lua, allowed->guard, 1);
        lua_setfield(lua, -3, allowed->name);
    }
}

/* "text":upper() uses the metatable of all strings. */
static void give_methods(lua_State *lua)
{
    lua_pushliteral(lua, "");
    if (lua_getmetatable(lua, -1)) {
        lua_getfield(lua, -3, "string");
        lua_setfield(lua, -2, "__index");
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
}

/* Leave the new table of globals on the stack. */
static void open_libraries(lua_State *lua)
{
    lua_newtable(lua);
    for (size_t i = 0; i < ARRAY_LEN(libraries); i++) {
        const struct library *library = &libraries[i];

        if (library->name)
            lua_newtable(lua);
        else
            lua_pushvalue(lua, -1);
        lua_pushcfunction(lua, library->open);
        lua_call(lua, 0, 1);
        copy_allowed(lua, library);
        lua_pop(lua, 1);
        if (library->name)
            lua_setfield(lua, -2, library->name);
        else
            lua_pop(lua, 1);
    }
    give_methods(lua);
}

/* The others are written in Lua. */
static void open_language(lua_State *lua, void *context)
{
    const struct embedded_file *file =
        embedded_find(&lua_files, "prelude/language.lua");

    (void)context;
    open_libraries(lua);
    lua_getglobal(lua, "next");
    lua_insert(lua, 1);
    lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_sandbox_load(lua, file->name, file->text, file->length);
    lua_insert(lua, 1);
    lua_call(lua, 1, 0);
}

/* ---- opening ---- */

bool lua_sandbox_open(const struct lua_sandbox_limits *limits,
                      struct lua_sandbox **sandbox, struct err *err)
{
    struct lua_sandbox *made = mem_new(1, sizeof(*made));

    made->memory_max = limits->memory ? limits->memory : MEMORY_DEFAULT;
    made->steps_max = limits->steps ? limits->steps : STEPS_DEFAULT;
    made->steps = made->steps_max;
    made->time_max = limits->time ? limits->time : TIME_DEFAULT;
    made->stop = limits->stop;
    made->lua = lua_newstate(allocate, made);
    if (!made->lua) {
        lua_pool_release(&made->pool);
        free(made);
        return err_set(err, ERR_LIMIT, "the memory limit is too small for Lua");
    }
    *(struct lua_sandbox **)lua_getextraspace(made->lua) = made;
    if (!lua_sandbox_run(made, open_language, NULL, err)) {
        lua_sandbox_close(made);
        return false;
    }
    *sandbox = made;
    return true;
}

void lua_sandbox_close(struct lua_sandbox *sandbox)
{
    if (!sandbox)
        return;
    lua_close(sandbox->lua);
    lua_pool_release(&sandbox->pool);
    free(sandbox);
}

/* ---- running ---- */

struct sandbox_job {
    lua_sandbox_work_fn *work;
    void *context;
};

static int do_job(lua_State *lua)
{
    struct sandbox_job *job = lua_touserdata(lua, 1);

    lua_settop(lua, 0);
    job->work(lua, job->context);
    return 0;
}

static bool tell_error(struct lua_sandbox *sandbox, int status, struct err *err)
{
    lua_State *lua = sandbox->lua;
    const char *text = lua_type(lua, -1) == LUA_TSTRING
                           ? lua_tostring(lua, -1)
                           : "an error that is no text";

    if (status == LUA_ERRMEM)
        err_set(err, ERR_LIMIT, "%sthe memory limit is reached",
                sandbox->place);
    else
        err_set(err, sandbox->excess ? ERR_LIMIT : ERR_INVALID, "%s", text);
    lua_pop(lua, 1);
    lua_gc(lua, LUA_GCCOLLECT);
    return false;
}

bool lua_sandbox_run(struct lua_sandbox *sandbox, lua_sandbox_work_fn *work,
                     void *context, struct err *err)
{
    lua_State *lua = sandbox->lua;
    struct sandbox_job job = {work, context};
    int status;

    sandbox->steps = sandbox->steps_max;
    sandbox->time_ends = processor_time() + sandbox->time_max;
    sandbox->look_again = clock_ns() + sandbox->time_max;
    sandbox->excess = NULL;
    sandbox->place[0] = '\0';
    lua_sethook(lua, watch, LUA_MASKCOUNT, STEPS_AT_ONCE);
    lua_pushcfunction(lua, do_job);
    lua_pushlightuserdata(lua, &job);
    status = lua_pcall(lua, 1, 0, 0);
    return status == LUA_OK || tell_error(sandbox, status, err);
}

void lua_sandbox_load(lua_State *lua, const char *name, const char *text,
                      size_t length)
{
    lua_pushfstring(lua, "=%s", name);
    if (luaL_loadbufferx(lua, text, length, lua_tostring(lua, -1), "t"))
        lua_error(lua);
    lua_remove(lua, -2);
}

/* ---- for preludes ---- */

int lua_sandbox_next(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 2);
    if (lua_next(lua, 1))
        return 2;
    lua_pushnil(lua);
    return 1;
}

/* ---- globals ---- */

/*
 * A global variable that a script sets by mistake would be missing in
 * snapshots.
 */
static int refuse_global(lua_State *lua)
{
    return luaL_error(lua,
                      "%s is global: make it local, or keep it in the "
                      "state",
                      luaL_tolstring(lua, 2, NULL));
}

void lua_sandbox_seal(lua_State *lua, lua_CFunction look_up)
{
    lua_pushglobaltable(lua);
    lua_createtable(lua, 0, 2);
    lua_pushcfunction(lua, look_up);
    lua_setfield(lua, -2, "__index");
    lua_pushcfunction(lua, refuse_global);
    lua_setfield(lua, -2, "__newindex");
    lua_setmetatable(lua, -2);
    lua_pop(lua, 1);
}
