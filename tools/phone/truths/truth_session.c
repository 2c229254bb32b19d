#include "tools/phone/truths/truth_session.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/lua/lua_files.h"
#include "tools/phone/lua/lua_include.h"
#include "tools/phone/lua/lua_json.h"
#include "tools/phone/lua/lua_pictures.h"
#include "tools/phone/lua/lua_sandbox.h"
#include "tools/phone/lua/lua_widget_kinds.h"
#include "tools/phone/truths/truth_pictures.h"

#define NAME_MAX_LENGTH 64
#define STATE_MAX ((size_t)512 * 1024)

/* Truths read all events, and need more steps than an app. */
#define MEMORY_MAX ((size_t)64 << 20)
#define STEPS_MAX INT64_C(100000000)

/* In Lua's registry: what prelude/truth.lua and the truth's file return. */
#define REGISTERED_ASKED "proctor.asked"
#define REGISTERED_TRUTHS "proctor.truths"

struct truth_session {
    const struct embedded_file *file;
    char whole[2 * NAME_MAX_LENGTH + 2]; /* "FILE.NAME" */
    const char *name;                    /* NAME, within whole */
    struct lua_sandbox *sandbox;         /* owned; NULL: not loaded */
    enum phone_locale locale;            /* that it was loaded with */
    uint64_t next;                       /* the first event not yet learned */
    uint64_t generation;                 /* of the log that they are from */
    const struct truth_checks *truths;   /* borrowed during a call */
    const char *function;                /* of prelude/truth.lua */
    const char *answer;
    struct buf events; /* as JSON lines */
    struct buf text;   /* of a state, a setting or a document */
    struct buf mask;   /* of another document */
    struct buf *json;
};

static struct truth_session *session_of(lua_State *lua)
{
    return lua_touserdata(lua, lua_upvalueindex(1));
}

/* ---- functions for truths ---- */

static int tell_now(lua_State *lua)
{
    const struct truth_session *session = session_of(lua);
    int64_t now = virtual_clock_now(&session->truths->handset->clock);

    lua_pushnumber(lua, (double)now / (double)PHONE_SECOND);
    return 1;
}

static int tell_setting(lua_State *lua)
{
    struct truth_session *session = session_of(lua);
    enum settings_space space = SETTINGS_SYSTEM;

    if (!settings_find_space(luaL_checkstring(lua, 1), &space))
        luaL_argerror(lua, 1, "system, secure or global");
    buf_clear(&session->text);
    if (!settings_get(&session->truths->handset->settings, space,
                      luaL_checkstring(lua, 2), &session->text))
        return 0;
    lua_pushstring(lua, buf_cstr(&session->text));
    return 1;
}

static int tell_property(lua_State *lua)
{
    struct truth_session *session = session_of(lua);

    buf_clear(&session->text);
    props_get(&session->truths->handset->props, luaL_checkstring(lua, 1),
              &session->text);
    lua_pushstring(lua, buf_cstr(&session->text));
    return 1;
}

/* moment(app, number, after): the number of its state around an event. */
static int tell_moment(lua_State *lua)
{
    struct truth_log *truth = session_of(lua)->truths->truth;
    const char *app = luaL_checkstring(lua, 1);
    uint64_t number = (uint64_t)luaL_checkinteger(lua, 2);
    uint64_t moment = lua_toboolean(lua, 3)
                          ? truth_log_moment_after(truth, app, number)
                          : truth_log_moment_before(truth, app, number);

    if (!moment)
        return 0;
    lua_pushinteger(lua, (lua_Integer)moment);
    return 1;
}

/* state(moment): nil if the app was closed. */
static int tell_state(lua_State *lua)
{
    struct truth_session *session = session_of(lua);
    uint64_t moment = (uint64_t)luaL_checkinteger(lua, 1);

    buf_clear(&session->text);
    truth_log_print_moment(session->truths->truth, moment, &session->text);
    if (!strcmp(buf_cstr(&session->text), "null"))
        return 0;
    lua_json_read(lua, session->text.data, session->text.length);
    return 1;
}

/* permitted(package, permission) */
static int tell_permission(lua_State *lua)
{
    const struct truth_session *session = session_of(lua);
    const char *name = luaL_checkstring(lua, 1);
    const char *permission = luaL_checkstring(lua, 2);
    struct phone_package *package = mem_new(1, sizeof(*package));
    const struct package_permission *asked =
        packages_find(&session->truths->handset->packages, name, package)
            ? package_permission(package, permission)
            : NULL;

    lua_pushboolean(lua, asked && asked->granted);
    free(package);
    return 1;
}

/* likeness(path, document, mask, outside): its SSIM and its PSNR. */
static int tell_likeness(lua_State *lua)
{
    struct truth_session *session = session_of(lua);
    const bool masked = !lua_isnoneornil(lua, 3);
    const struct truth_likeness likeness = {
        .path = luaL_checkstring(lua, 1),
        .json = &session->text,
        .mask = masked ? &session->mask : NULL,
        .outside = lua_toboolean(lua, 4),
    };
    struct err err = ERR_INIT;
    double ssim, psnr;

    buf_clear(&session->text);
    lua_json_write(lua, 2, "document", &session->text);
    buf_clear(&session->mask);
    if (masked)
        lua_json_write(lua, 3, "mask", &session->mask);
    if (!truth_likeness_find(&likeness, session->truths->handset->root, &ssim,
                             &psnr, &err))
        return luaL_error(lua, "%s", err.text);
    lua_pushnumber(lua, ssim);
    lua_pushnumber(lua, psnr);
    return 2;
}

static const luaL_Reg services[] = {
    {"now", tell_now},
    {"setting", tell_setting},
    {"property", tell_property},
    {"permitted", tell_permission},
    {"moment", tell_moment},
    {"state", tell_state},
    {"likeness", tell_likeness},
    {"spots", lua_pictures_spots},
    {"include", lua_include},
    {"next", lua_sandbox_next},
    {"widget", lua_widget_kinds_make},
    {NULL, NULL},
};

static void push_events(lua_State *lua, const struct buf *lines)
{
    const char *at = lines->length ? lines->data : "";
    const char *end = at + lines->length;
    lua_Integer count = 0;

    lua_newtable(lua);
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);

        lua_json_read(lua, at, length);
        lua_rawseti(lua, -2, ++count);
        at += length + 1;
    }
}

static void push_services(lua_State *lua, struct truth_session *session)
{
    luaL_newlibtable(lua, services);
    lua_pushlightuserdata(lua, session);
    luaL_setfuncs(lua, services, 1);
    lua_pushinteger(lua, (lua_Integer)session->truths->seed);
    lua_setfield(lua, -2, "seed");
    lua_pushinteger(lua, 0);
    lua_setfield(lua, -2, "skin");
    lua_pushliteral(lua, "truth");
    lua_setfield(lua, -2, "name");
    lua_pushstring(lua, session->truths->locale == LOCALE_ZH ? "zh" : "en");
    lua_setfield(lua, -2, "locale");
}

/* ---- loading ---- */

/* All share the table of services, which is at the bottom of the stack. */
static void load_prelude(lua_State *lua, const char *name)
{
    const struct embedded_file *file = embedded_find(&lua_files, name);

    lua_sandbox_load(lua, file->name, file->text, file->length);
    lua_pushvalue(lua, 1);
    lua_call(lua, 1, 1);
}

static void load(lua_State *lua, void *context)
{
    struct truth_session *session = context;

    push_services(lua, session);
    load_prelude(lua, "prelude/phone.lua");
    lua_setfield(lua, 1, "frame");
    for (const char *const *prelude = lua_files_prelude; *prelude; prelude++)
        load_prelude(lua, *prelude);
    load_prelude(lua, "prelude/truth.lua");
    lua_setfield(lua, LUA_REGISTRYINDEX, REGISTERED_ASKED);
    load_prelude(lua, "prelude/outcome.lua");
    lua_pop(lua, 1);
    lua_sandbox_seal(lua, lua_widget_kinds_find);
    lua_sandbox_load(lua, session->file->name, session->file->text,
                     session->file->length);
    lua_call(lua, 0, 1);
    lua_setfield(lua, LUA_REGISTRYINDEX, REGISTERED_TRUTHS);
}

static void unload(struct truth_session *session)
{
    lua_sandbox_close(session->sandbox);
    session->sandbox = NULL;
    session->next = 0;
}

/* Facts are worded in the language that it was loaded with. */
static bool load_once(struct truth_session *session, struct err *err)
{
    const struct lua_sandbox_limits limits = {.memory = MEMORY_MAX,
                                              .steps = STEPS_MAX};

    if (session->sandbox && session->locale == session->truths->locale)
        return true;
    unload(session);
    session->locale = session->truths->locale;
    return lua_sandbox_open(&limits, &session->sandbox, err) &&
           lua_sandbox_run(session->sandbox, load, session, err);
}

/* ---- asking ---- */

/* The table on the stack; an empty one is an object, too. */
static void put_table(lua_State *lua, struct buf *json)
{
    lua_pushnil(lua);
    if (lua_next(lua, -2)) {
        lua_pop(lua, 2);
        lua_json_write(lua, -1, "truth", json);
    } else {
        buf_text(json, "{}");
    }
}

static void forget(lua_State *lua, void *context)
{
    (void)context;
    lua_getfield(lua, LUA_REGISTRYINDEX, REGISTERED_ASKED);
    lua_getfield(lua, -1, "forget");
    lua_call(lua, 0, 0);
}

static void ask(lua_State *lua, void *context)
{
    const struct truth_session *session = context;

    lua_getfield(lua, LUA_REGISTRYINDEX, REGISTERED_ASKED);
    lua_getfield(lua, -1, "learn");
    push_events(lua, &session->events);
    lua_pushstring(lua, session->truths->front);
    lua_call(lua, 2, 0);
    lua_getfield(lua, -1, session->function);
    lua_getfield(lua, LUA_REGISTRYINDEX, REGISTERED_TRUTHS);
    lua_pushstring(lua, session->name);
    lua_pushstring(lua, session->answer);
    lua_call(lua, 3, 1);
    if (lua_istable(lua, -1))
        put_table(lua, session->json);
}

/* Learn the events from the start when the log dropped or replaced some. */
static bool forget_once(struct truth_session *session, struct err *err)
{
    uint64_t generation = truth_log_generation(session->truths->truth);

    if (generation == session->generation)
        return true;
    session->generation = generation;
    session->next = 0;
    return lua_sandbox_run(session->sandbox, forget, NULL, err);
}

/* After an error the events are read again from the start. */
static bool question(struct truth_session *session,
                     const struct truth_checks *truths, struct buf *json,
                     struct err *err)
{
    size_t before = json->length;
    bool done;

    session->truths = truths;
    session->json = json;
    done = load_once(session, err) && forget_once(session, err);
    if (done) {
        buf_clear(&session->events);
        session->next = truth_log_print_events(truths->truth, session->next,
                                               &session->events);
        done = lua_sandbox_run(session->sandbox, ask, session, err);
    }
    if (!done)
        unload(session);
    else if (json->length == before)
        done =
            err_set(err, ERR_NOT_FOUND, "there is no truth %s", session->whole);
    session->truths = NULL;
    session->json = NULL;
    session->answer = NULL;
    return done;
}

bool truth_session_facts(struct truth_session *session,
                         const struct truth_checks *truths, struct buf *json,
                         struct err *err)
{
    session->function = "facts";
    return question(session, truths, json, err);
}

bool truth_session_judge(struct truth_session *session,
                         const struct truth_checks *truths, const char *answer,
                         struct buf *json, struct err *err)
{
    session->function = "judge";
    session->answer = answer;
    return question(session, truths, json, err);
}

bool truth_session_picture(struct truth_session *session,
                           const struct truth_checks *truths, const char *name,
                           struct buf *png, struct err *err)
{
    struct buf json = BUF_INIT(STATE_MAX);
    bool done;

    session->function = "picture";
    session->answer = name;
    done = question(session, truths, &json, err) &&
           truth_picture_encode(&json, png, err);
    buf_release(&json);
    return done;
}

/* ---- opening ---- */

bool truth_session_open(const char *name, struct truth_session **session,
                        struct err *err)
{
    const char *point = strchr(name, '.');
    char path[NAME_MAX_LENGTH + 16] = "";
    const struct embedded_file *file = NULL;
    struct truth_session *made;

    if (point && point - name <= NAME_MAX_LENGTH &&
        strlen(point + 1) <= NAME_MAX_LENGTH) {
        snprintf(path, sizeof(path), "truths/%.*s.lua", (int)(point - name),
                 name);
        file = embedded_find(&lua_files, path);
    }
    if (!file)
        return err_set(err, ERR_NOT_FOUND, "there is no truth %.60s", name);
    made = mem_new(1, sizeof(*made));
    made->file = file;
    snprintf(made->whole, sizeof(made->whole), "%s", name);
    made->name = made->whole + (point + 1 - name);
    made->events = (struct buf)BUF_INIT(TRUTH_LOG_EVENTS_MAX);
    made->text = (struct buf)BUF_INIT(STATE_MAX);
    made->mask = (struct buf)BUF_INIT(STATE_MAX);
    *session = made;
    return true;
}

void truth_session_close(struct truth_session *session)
{
    if (!session)
        return;
    lua_sandbox_close(session->sandbox);
    buf_release(&session->events);
    buf_release(&session->text);
    buf_release(&session->mask);
    free(session);
}
