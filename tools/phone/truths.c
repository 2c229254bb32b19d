#include "tools/phone/truths.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/lua_files.h"
#include "tools/phone/lua_json.h"
#include "tools/phone/lua_sandbox.h"
#include "tools/phone/lua_widgets.h"

#define NAME_MAX_LENGTH 64
#define VALUE_MAX ((size_t)64 * 1024)
#define STATE_MAX ((size_t)512 * 1024)

/* They look at all that happened, which is more than an app ever does. */
#define MEMORY_MAX ((size_t)64 << 20)
#define STEPS_MAX INT64_C(100000000)

/* One question. */
struct asking {
    const struct truths *truths;
    const struct embedded_file *file;
    const char *name;     /* within the file */
    const char *function; /* of prelude/truth.lua */
    const char *answer;
    struct buf events; /* as JSON lines */
    struct buf text;   /* of a state or a setting */
    struct buf *json;
};

static struct asking *asking_of(lua_State *lua)
{
    return lua_touserdata(lua, lua_upvalueindex(1));
}

/* ---- what truths may look at ---- */

static int tell_now(lua_State *lua)
{
    const struct asking *asking = asking_of(lua);
    int64_t now = virtual_clock_now(&asking->truths->handset->clock);

    lua_pushnumber(lua, (double)now / (double)PHONE_SECOND);
    return 1;
}

static int tell_setting(lua_State *lua)
{
    struct asking *asking = asking_of(lua);
    enum settings_space space = SETTINGS_SYSTEM;

    if (!settings_find_space(luaL_checkstring(lua, 1), &space))
        luaL_argerror(lua, 1, "system, secure or global");
    buf_clear(&asking->text);
    if (!settings_get(&asking->truths->handset->settings, space,
                      luaL_checkstring(lua, 2), &asking->text))
        return 0;
    lua_pushstring(lua, buf_cstr(&asking->text));
    return 1;
}

static int tell_property(lua_State *lua)
{
    struct asking *asking = asking_of(lua);

    buf_clear(&asking->text);
    props_get(&asking->truths->handset->props, luaL_checkstring(lua, 1),
              &asking->text);
    lua_pushstring(lua, buf_cstr(&asking->text));
    return 1;
}

/* state(app, number, after): what the app was around an event. */
static int tell_state(lua_State *lua)
{
    struct asking *asking = asking_of(lua);
    const char *app = luaL_checkstring(lua, 1);
    uint64_t number = (uint64_t)luaL_checkinteger(lua, 2);

    buf_clear(&asking->text);
    if (lua_toboolean(lua, 3))
        truth_print_after(asking->truths->truth, app, number, &asking->text);
    else
        truth_print_before(asking->truths->truth, app, number, &asking->text);
    if (!strcmp(buf_cstr(&asking->text), "null"))
        return 0;
    lua_json_read(lua, asking->text.data, asking->text.length);
    return 1;
}

/* permitted(package, permission) */
static int tell_permission(lua_State *lua)
{
    const struct asking *asking = asking_of(lua);
    const char *name = luaL_checkstring(lua, 1);
    const char *permission = luaL_checkstring(lua, 2);
    struct package *package = mem_new(1, sizeof(*package));
    const struct package_permission *asked =
        packages_find(&asking->truths->handset->packages, name, package)
            ? package_permission(package, permission)
            : NULL;

    lua_pushboolean(lua, asked && asked->granted);
    free(package);
    return 1;
}

/* define(name): what the app's file returns. */
static int define_app(lua_State *lua)
{
    char path[NAME_MAX_LENGTH + 16];
    const struct embedded_file *file;

    snprintf(path, sizeof(path), "apps/%s.lua", luaL_checkstring(lua, 1));
    file = embedded_find(&lua_files, path);
    if (!file)
        return luaL_error(lua, "there is no %s", path);
    lua_sandbox_load(lua, file->name, file->text, file->length);
    lua_call(lua, 0, 1);
    return 1;
}

static const luaL_Reg services[] = {
    {"now", tell_now},
    {"setting", tell_setting},
    {"property", tell_property},
    {"permitted", tell_permission},
    {"state", tell_state},
    {"define", define_app},
    {"next", lua_sandbox_next},
    {"widget", lua_widgets_make},
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

static void push_services(lua_State *lua, struct asking *asking)
{
    luaL_newlibtable(lua, services);
    lua_pushlightuserdata(lua, asking);
    luaL_setfuncs(lua, services, 1);
    push_events(lua, &asking->events);
    lua_setfield(lua, -2, "events");
    lua_pushinteger(lua, (lua_Integer)asking->truths->seed);
    lua_setfield(lua, -2, "seed");
    lua_pushinteger(lua, 0);
    lua_setfield(lua, -2, "skin");
    lua_pushliteral(lua, "truth");
    lua_setfield(lua, -2, "name");
    lua_pushstring(lua, asking->truths->locale == LOCALE_ZH ? "zh" : "en");
    lua_setfield(lua, -2, "locale");
    lua_pushstring(lua, asking->truths->front);
    lua_setfield(lua, -2, "front");
}

/* ---- asking ---- */

/* All share the table of services, which is at the bottom of the stack. */
static void load_prelude(lua_State *lua, const char *name)
{
    const struct embedded_file *file = embedded_find(&lua_files, name);

    lua_sandbox_load(lua, file->name, file->text, file->length);
    lua_pushvalue(lua, 1);
    lua_call(lua, 1, 1);
}

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

static void ask(lua_State *lua, void *context)
{
    struct asking *asking = context;

    push_services(lua, asking);
    load_prelude(lua, "prelude/phone.lua");
    lua_setfield(lua, 1, "frame");
    load_prelude(lua, "prelude/parts.lua");
    load_prelude(lua, "prelude/content.lua");
    load_prelude(lua, "prelude/market.lua");
    load_prelude(lua, "prelude/truth.lua");
    lua_sandbox_seal(lua, lua_widgets_find);
    lua_getfield(lua, -1, asking->function);
    lua_sandbox_load(lua, asking->file->name, asking->file->text,
                     asking->file->length);
    lua_call(lua, 0, 1);
    lua_pushstring(lua, asking->name);
    lua_pushstring(lua, asking->answer);
    lua_call(lua, 3, 1);
    if (lua_istable(lua, -1))
        put_table(lua, asking->json);
}

static bool find_file(const char *name, struct asking *asking, struct err *err)
{
    const char *point = strchr(name, '.');
    char path[NAME_MAX_LENGTH + 16];

    if (!point || point - name > NAME_MAX_LENGTH)
        return err_set(err, ERR_NOT_FOUND, "there is no truth %.60s", name);
    snprintf(path, sizeof(path), "truths/%.*s.lua", (int)(point - name), name);
    asking->file = embedded_find(&lua_files, path);
    asking->name = point + 1;
    return asking->file ||
           err_set(err, ERR_NOT_FOUND, "there is no truth %.60s", name);
}

static bool question(struct asking *asking, const char *name, struct err *err)
{
    const struct lua_sandbox_limits limits = {.memory = MEMORY_MAX,
                                              .steps = STEPS_MAX};
    struct lua_sandbox *sandbox = NULL;
    size_t before = asking->json->length;
    bool done;

    asking->events = (struct buf)BUF_INIT(TRUTH_EVENTS_MAX);
    asking->text = (struct buf)BUF_INIT(STATE_MAX);
    truth_print_events(asking->truths->truth, 0, &asking->events);
    done = find_file(name, asking, err) &&
           lua_sandbox_open(&limits, &sandbox, err) &&
           lua_sandbox_run(sandbox, ask, asking, err);
    if (done && asking->json->length == before)
        done = err_set(err, ERR_NOT_FOUND, "there is no truth %.60s", name);
    lua_sandbox_close(sandbox);
    buf_release(&asking->text);
    return done;
}

bool truths_facts(const struct truths *truths, const char *name,
                  struct buf *json, struct err *err)
{
    struct asking asking = {
        .truths = truths, .function = "facts", .json = json};
    bool done = question(&asking, name, err);

    buf_release(&asking.events);
    return done;
}

/* JSON lines as a list. */
static void put_events(const struct buf *lines, struct buf *json)
{
    for (size_t i = 0; i < lines->length; i++) {
        if (lines->data[i] != '\n')
            buf_byte(json, lines->data[i]);
        else if (i + 1 < lines->length)
            buf_byte(json, ',');
    }
}

bool truths_judge(const struct truths *truths, const char *name,
                  const char *answer, struct buf *json, struct err *err)
{
    struct buf verdict = BUF_INIT(VALUE_MAX);
    struct asking asking = {.truths = truths,
                            .function = "judge",
                            .answer = answer,
                            .json = &verdict};
    bool done = question(&asking, name, err);

    if (done) {
        buf_append(json, verdict.data, verdict.length - 1); /* all but "}" */
        buf_text(json, ",\"events\":[");
        put_events(&asking.events, json);
        buf_text(json, "]}");
    }
    buf_release(&asking.events);
    buf_release(&verdict);
    return done;
}
