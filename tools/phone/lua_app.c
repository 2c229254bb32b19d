#include "tools/phone/lua_app.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/intent.h"
#include "tools/phone/keycode.h"
#include "tools/phone/kinds.h"
#include "tools/phone/lua_files.h"
#include "tools/phone/lua_json.h"
#include "tools/phone/lua_packages.h"
#include "tools/phone/lua_widgets.h"
#include "tools/phone/style.h"

#define STATE_MAX ((size_t)512 * 1024)

/* Whose apps may change others: the system's own. */
#define SYSTEM_UID 1000

/* What the dialog of an app that stopped can be asked for. */
enum { SHOW_INFO = -1, CLOSE_APP = -2 };

struct lua_app {
    struct app app;
    char *name;
    struct package package;
    struct handset *handset;
    struct stage *stage;
    struct truth *truth;
    uint64_t seed;
    unsigned skin;
    struct lua_sandbox *sandbox; /* owned; NULL when it could not be opened */
    struct theme theme;
    float hue;              /* of its colours; 0: the system's */
    int64_t redraw;         /* when it looks different by itself; 0: never */
    unsigned long settings; /* their changes when it was last built */
    struct buf state;       /* as JSON */
    bool stopped;
    struct err why; /* it stopped */
};

static int64_t time_of(const struct lua_app *app)
{
    return virtual_clock_now(&app->handset->clock);
}

static void write_log(struct lua_app *app, char level, const char *tag,
                      const char *text)
{
    unsigned pid = processes_find(&app->handset->processes, app->package.name);

    logs_write(&app->handset->logs, time_of(app), pid, level, tag, "%s", text);
}

/* ---- when it stops ---- */

static void stop(struct lua_app *app, const struct err *why)
{
    char line[320];

    app->stopped = true;
    app->why = *why;
    write_log(app, 'E', "AndroidRuntime", "FATAL EXCEPTION: main");
    snprintf(line, sizeof(line), "Process: %s", app->package.name);
    write_log(app, 'E', "AndroidRuntime", line);
    write_log(app, 'E', "AndroidRuntime", why->text);
    if (app->truth)
        truth_event(app->truth, time_of(app), app->name, "stopped", "[]");
}

static void add_choice(struct widget *dialog, const char *text,
                       const char *icon, const char *id, int action)
{
    struct widget *choice = widget_new(dialog, &kind_item);

    widget_set_id(choice, id);
    widget_set_text(choice, text);
    widget_set_action(choice, action, 0);
    choice->look.icon = icon_find(icon);
}

/* As Android tells of it. */
static void build_stopped(const struct lua_app *app,
                          const struct surroundings *around,
                          struct widget_tree *tree)
{
    bool chinese = around->locale == LOCALE_ZH;
    struct widget *window = widget_window(tree, app->package.name);
    struct widget *dialog = kinds_dialog(tree, "android");
    struct widget *title = widget_new(dialog, &kind_text);
    char text[128];

    widget_new(window, &kind_page);
    snprintf(text, sizeof(text), "%s%s",
             package_label(&app->package, around->locale),
             chinese ? "屡次停止运行" : " keeps stopping");
    widget_set_id(title, "android:id/alertTitle");
    widget_set_text(title, text);
    style_use(title, "headline_small");
    dialog->layout.gap = 0;
    add_choice(dialog, chinese ? "应用信息" : "App info", "info",
               "android:id/aerr_app_info", SHOW_INFO);
    add_choice(dialog, chinese ? "关闭应用" : "Close app", "close",
               "android:id/aerr_close", CLOSE_APP);
}

static bool handle_stopped(struct lua_app *app, const struct app_event *event)
{
    if (event->kind != APP_CLICK)
        return false;
    if (event->action == SHOW_INFO) {
        struct intent intent = {
            .action = "android.settings.APPLICATION_DETAILS_SETTINGS"};
        char data[160];

        snprintf(data, sizeof(data), "package:%s", app->package.name);
        intent.data = data;
        stage_start(app->stage, &intent, app->package.uid, NULL);
    }
    stage_stop(app->stage, app->package.name, "crash");
    return true;
}

/* ---- what the app may use of the phone ---- */

static struct lua_app *app_of(lua_State *lua)
{
    return lua_touserdata(lua, lua_upvalueindex(1));
}

static int tell_now(lua_State *lua)
{
    lua_pushnumber(lua, (double)time_of(app_of(lua)) / (double)PHONE_SECOND);
    return 1;
}

/* Be told when so many seconds have passed, and at no other time. */
static int wake_later(lua_State *lua)
{
    struct lua_app *app = app_of(lua);
    double seconds = luaL_optnumber(lua, 1, 0);
    struct timer timer = {.owner = APP_TIMERS};
    uint64_t id;

    timers_forget(&app->handset->clock.timers, APP_TIMERS, app->package.name);
    if (lua_isnoneornil(lua, 1))
        return 0;

    luaL_argcheck(lua, seconds >= 0 && seconds <= 1e8, 1,
                  "no time that will come");
    timer.due = (int64_t)(seconds * (double)PHONE_SECOND);
    snprintf(timer.about, sizeof(timer.about), "%s", app->package.name);
    if (!virtual_clock_set_timer(&app->handset->clock, timer, &id))
        luaL_error(lua, "there are too many timers");
    return 0;
}

/* The screen that is being built is to be built again after so long. */
static int redraw_after(lua_State *lua)
{
    struct lua_app *app = app_of(lua);
    double seconds = luaL_checknumber(lua, 1);

    luaL_argcheck(lua, seconds > 0 && seconds <= 1e6, 1, "no such time");
    app->redraw = time_of(app) + (int64_t)(seconds * (double)PHONE_SECOND);
    return 0;
}

static int log_text(lua_State *lua)
{
    struct lua_app *app = app_of(lua);

    write_log(app, 'D', app->name, luaL_tolstring(lua, 1, NULL));
    return 0;
}

static int tell_event(lua_State *lua)
{
    struct lua_app *app = app_of(lua);
    const char *event = luaL_checkstring(lua, 1);
    int count = lua_gettop(lua) - 1;

    lua_createtable(lua, count, 0);
    for (int i = 1; i <= count; i++) {
        lua_pushvalue(lua, i + 1);
        lua_rawseti(lua, -2, i);
    }
    buf_clear(&app->state);
    lua_json_write(lua, -1, "event", &app->state);
    if (app->truth)
        truth_event(app->truth, time_of(app), app->name, event,
                    buf_cstr(&app->state));
    return 0;
}

static int start_app(lua_State *lua)
{
    struct lua_app *app = app_of(lua);

    stage_launch(app->stage, luaL_checkstring(lua, 1), app->package.uid);
    return 0;
}

static int finish_app(lua_State *lua)
{
    struct lua_app *app = app_of(lua);

    stage_finish(app->stage, &app->app);
    return 0;
}

static enum settings_space space_of(lua_State *lua)
{
    enum settings_space space = SETTINGS_SYSTEM;

    if (!settings_find_space(luaL_checkstring(lua, 1), &space))
        luaL_argerror(lua, 1, "system, secure or global");
    return space;
}

static int get_setting(lua_State *lua)
{
    struct lua_app *app = app_of(lua);
    enum settings_space space = space_of(lua);

    buf_clear(&app->state);
    if (!settings_get(&app->handset->settings, space, luaL_checkstring(lua, 2),
                      &app->state))
        return 0;
    lua_pushstring(lua, buf_cstr(&app->state));
    return 1;
}

static int set_setting(lua_State *lua)
{
    struct lua_app *app = app_of(lua);
    enum settings_space space = space_of(lua);

    if (!settings_put(&app->handset->settings, space, luaL_checkstring(lua, 2),
                      luaL_tolstring(lua, 3, NULL)))
        luaL_error(lua, "there are too many settings");
    return 0;
}

static int get_property(lua_State *lua)
{
    struct lua_app *app = app_of(lua);

    buf_clear(&app->state);
    props_get(&app->handset->props, luaL_checkstring(lua, 1), &app->state);
    lua_pushstring(lua, buf_cstr(&app->state));
    return 1;
}

/* For the frame, which cares about no order. */
static int next_key(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 2);
    if (lua_next(lua, 1))
        return 2;
    lua_pushnil(lua);
    return 1;
}

static const luaL_Reg services[] = {
    {"now", tell_now},
    {"wake", wake_later},
    {"redraw", redraw_after},
    {"log", log_text},
    {"event", tell_event},
    {"launch", start_app},
    {"finish", finish_app},
    {"setting", get_setting},
    {"set_setting", set_setting},
    {"property", get_property},
    {"next", next_key},
    {"widget", lua_widgets_make},
    {NULL, NULL},
};

static void push_services(lua_State *lua, struct lua_app *app)
{
    luaL_newlibtable(lua, services);
    lua_pushlightuserdata(lua, app);
    luaL_setfuncs(lua, services, 1);
    if (app->package.uid == SYSTEM_UID)
        lua_packages_add(lua, app->handset, app->stage);
    lua_pushinteger(lua, (lua_Integer)app->seed);
    lua_setfield(lua, -2, "seed");
    lua_pushinteger(lua, app->skin);
    lua_setfield(lua, -2, "skin");
    lua_pushstring(lua, app->name);
    lua_setfield(lua, -2, "name");
}

/* ---- calling the frame: prelude/phone.lua ---- */

static void push_frame(lua_State *lua, const char *function)
{
    lua_getfield(lua, LUA_REGISTRYINDEX, "frame");
    lua_getfield(lua, -1, function);
    lua_remove(lua, -2);
}

/* What it is after it was used, for the truth and for snapshots. */
static void note_state(lua_State *lua, struct lua_app *app)
{
    push_frame(lua, "save");
    lua_call(lua, 0, 1);
    buf_clear(&app->state);
    lua_json_write(lua, -1, "self", &app->state);
    lua_pop(lua, 1);
    if (app->truth)
        truth_state(app->truth, app->name, buf_cstr(&app->state));
}

/* ---- opening ---- */

struct opening {
    struct lua_app *app;
    const struct lua_app_options *options;
};

static void load_prelude(lua_State *lua, struct lua_app *app, const char *name)
{
    const struct lua_file *file = lua_files_find(name);

    lua_sandbox_load(lua, file->name, file->text, file->length);
    push_services(lua, app);
    lua_call(lua, 1, 1);
}

static void push_intent(lua_State *lua, const struct intent *intent)
{
    lua_newtable(lua);
    lua_pushstring(lua, intent->action);
    lua_setfield(lua, -2, "action");
    lua_pushstring(lua, intent->data);
    lua_setfield(lua, -2, "data");
    lua_pushstring(lua, intent->component.class);
    lua_setfield(lua, -2, "class");
    lua_newtable(lua);
    for (size_t i = 0; i < intent->extra_count; i++) {
        lua_pushstring(lua, intent->extras[i].value);
        lua_setfield(lua, -2, intent->extras[i].name);
    }
    lua_setfield(lua, -2, "extras");
}

static void open_file(lua_State *lua, void *context)
{
    const struct opening *opening = context;
    struct lua_app *app = opening->app;
    char name[80];

    load_prelude(lua, app, "prelude/phone.lua");
    lua_setfield(lua, LUA_REGISTRYINDEX, "frame");
    load_prelude(lua, app, "prelude/parts.lua");
    load_prelude(lua, app, "prelude/content.lua");
    lua_sandbox_seal(lua, lua_widgets_find);
    snprintf(name, sizeof(name), "%s.lua", app->name);
    push_frame(lua, "open");
    lua_sandbox_load(lua, name, opening->options->text,
                     opening->options->length);
    lua_call(lua, 0, 1);
    lua_call(lua, 1, 1);
    app->hue = (float)luaL_optnumber(lua, -1, 0);
    if (opening->options->intent) {
        push_frame(lua, "start");
        push_intent(lua, opening->options->intent);
        lua_call(lua, 1, 0);
    }
    note_state(lua, app);
}

/* ---- building ---- */

struct build {
    struct lua_app *app;
    const struct surroundings *around;
    struct widget_tree *tree;
};

static void set_number(lua_State *lua, const char *name, double number)
{
    lua_pushnumber(lua, number);
    lua_setfield(lua, -2, name);
}

static void push_surroundings(lua_State *lua, const struct surroundings *around)
{
    lua_newtable(lua);
    set_number(lua, "width", around->width);
    set_number(lua, "height", around->height);
    set_number(lua, "top", around->status_bar);
    set_number(lua, "bottom", around->navigation);
    set_number(lua, "battery", around->battery);
    lua_pushboolean(lua, around->theme->dark);
    lua_setfield(lua, -2, "dark");
    lua_pushstring(lua, around->locale == LOCALE_ZH ? "zh" : "en");
    lua_setfield(lua, -2, "locale");
}

/* A window for the widget at the top of the stack. */
static void add_window(lua_State *lua, const struct build *build)
{
    const char *package = build->app->package.name;
    const char *window;

    lua_getfield(lua, -1, "window");
    window = luaL_optstring(lua, -1, "");
    lua_pop(lua, 1);
    if (!strcmp(window, "dialog"))
        lua_widgets_fill(lua, kinds_dialog(build->tree, package));
    else if (!strcmp(window, "sheet"))
        lua_widgets_fill(lua, kinds_sheet(build->tree, package));
    else
        lua_widgets_add(lua, widget_window(build->tree, package));
}

static void build_screens(lua_State *lua, void *context)
{
    const struct build *build = context;
    lua_Integer count;

    build->app->redraw = 0;
    push_frame(lua, "build");
    push_surroundings(lua, build->around);
    lua_call(lua, 1, 1);
    count = (lua_Integer)lua_rawlen(lua, -1);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(lua, -1, i);
        add_window(lua, build);
        lua_pop(lua, 1);
    }
}

static void lua_app_build(struct app *app, const struct surroundings *around,
                          struct widget_tree *tree)
{
    struct lua_app *self = (struct lua_app *)app;
    const struct theme *theme = tree->theme;
    struct build build = {self, around, tree};
    struct err err = ERR_INIT;

    self->settings = settings_changes(&self->handset->settings);
    if (self->hue > 0) {
        theme_init(&self->theme, self->hue, around->theme->dark);
        tree->theme = &self->theme;
    }
    if (!self->stopped &&
        !lua_sandbox_run(self->sandbox, build_screens, &build, &err))
        stop(self, &err);
    tree->theme = theme;
    if (self->stopped)
        build_stopped(self, around, tree);
}

/* ---- being used ---- */

struct use {
    struct lua_app *app;
    const struct app_event *event;
    bool used;
};

static int push_key(lua_State *lua, int key)
{
    if (key == KEY_BACK || key == KEY_ESCAPE) {
        lua_pushliteral(lua, "back");
        return 1;
    }
    lua_pushliteral(lua, "key");
    lua_pushinteger(lua, key);
    return 2;
}

/* A slider that moves by whole steps gives integers. */
static void push_number(lua_State *lua, double number)
{
    lua_Integer whole;

    if (lua_numbertointeger(number, &whole) && (double)whole == number)
        lua_pushinteger(lua, whole);
    else
        lua_pushnumber(lua, number);
}

/* The event's name, the widget's action, and what the widget holds now. */
static int push_widget_event(lua_State *lua, const struct app_event *event)
{
    static const char *const names[] = {
        [APP_CLICK] = "click",   [APP_LONG_CLICK] = "long_click",
        [APP_CHANGE] = "change", [APP_SUBMIT] = "submit",
        [APP_SCROLL] = "scroll",
    };

    lua_pushstring(lua, names[event->kind]);
    lua_pushinteger(lua, event->action);
    if (event->kind == APP_CLICK || event->kind == APP_LONG_CLICK)
        return 2;
    if (event->text)
        lua_pushstring(lua, event->text);
    else
        push_number(lua,
                    event->kind == APP_SCROLL ? event->left : event->value);
    return 3;
}

/* Push the event as the frame takes it, and return how many values it is. */
static int push_event(lua_State *lua, const struct app_event *event)
{
    switch (event->kind) {
    case APP_CLICK:
    case APP_LONG_CLICK:
    case APP_CHANGE:
    case APP_SUBMIT:
    case APP_SCROLL:
        return push_widget_event(lua, event);
    case APP_KEY:
        return push_key(lua, event->key);
    case APP_OUTSIDE:
        lua_pushliteral(lua, "outside");
        return 1;
    case APP_TIMER:
        lua_pushliteral(lua, "timer");
        return 1;
    case APP_TEXT:
        lua_pushliteral(lua, "text");
        lua_pushstring(lua, event->text);
        return 2;
    case APP_INTENT:
        lua_pushliteral(lua, "start");
        push_intent(lua, event->intent);
        return 2;
    }
    return 0;
}

static void use_app(lua_State *lua, void *context)
{
    struct use *use = context;

    push_frame(lua, "use");
    lua_call(lua, push_event(lua, use->event), 1);
    use->used = lua_toboolean(lua, -1);
    note_state(lua, use->app);
}

static bool lua_app_handle(struct app *app, const struct app_event *event)
{
    struct lua_app *self = (struct lua_app *)app;
    struct use use = {self, event, false};
    struct err err = ERR_INIT;

    if (self->stopped)
        return handle_stopped(self, event);
    if (lua_sandbox_run(self->sandbox, use_app, &use, &err))
        return use.used;
    stop(self, &err);
    return true;
}

struct telling {
    int action;
    struct buf *out;
};

static void tell_calls(lua_State *lua, void *context)
{
    const struct telling *telling = context;

    push_frame(lua, "calls");
    lua_pushinteger(lua, telling->action);
    lua_call(lua, 1, 1);
    buf_text(telling->out, luaL_checkstring(lua, -1));
}

static void lua_app_calls(struct app *app, int action, int64_t argument,
                          struct buf *out)
{
    struct lua_app *self = (struct lua_app *)app;
    struct telling telling = {action, out};
    struct err err = ERR_INIT;

    (void)argument;
    if (!self->stopped &&
        !lua_sandbox_run(self->sandbox, tell_calls, &telling, &err))
        buf_clear(out);
}

static bool lua_app_changed(struct app *app)
{
    const struct lua_app *self = (const struct lua_app *)app;

    return (self->redraw && time_of(self) >= self->redraw) ||
           self->settings != settings_changes(&self->handset->settings);
}

/* ---- snapshots ---- */

static void save_state(lua_State *lua, void *context)
{
    note_state(lua, context);
}

static void lua_app_save(struct app *app, struct buf *out)
{
    struct lua_app *self = (struct lua_app *)app;
    struct err err = ERR_INIT;

    if (!self->stopped &&
        !lua_sandbox_run(self->sandbox, save_state, self, &err))
        stop(self, &err);
    parcel_put_text(out, self->stopped ? self->why.text : "");
    parcel_put_text(out, self->stopped ? "" : buf_cstr(&self->state));
}

struct loading {
    struct lua_app *app;
    const char *text;
};

static void load_state(lua_State *lua, void *context)
{
    const struct loading *loading = context;

    push_frame(lua, "load");
    lua_json_read(lua, loading->text, strlen(loading->text));
    lua_call(lua, 1, 0);
    note_state(lua, loading->app);
}

static void lua_app_load(struct app *app, struct parcel *in)
{
    struct lua_app *self = (struct lua_app *)app;
    struct loading loading = {.app = self};
    struct err err = ERR_INIT;
    char *text;

    parcel_text(in, err.text, sizeof(err.text));
    text = parcel_new_text(in, STATE_MAX);
    loading.text = text ? text : "";
    if (err.text[0])
        stop(self, &err);
    else if (!self->stopped && !in->broken &&
             !lua_sandbox_run(self->sandbox, load_state, &loading, &err))
        parcel_break(in);
    free(text);
}

/* ---- opening and closing ---- */

static void lua_app_close(struct app *app)
{
    struct lua_app *self = (struct lua_app *)app;

    if (self->truth)
        truth_state(self->truth, self->name, NULL);
    lua_sandbox_close(self->sandbox);
    buf_release(&self->state);
    free(self->name);
    free(self);
}

static bool begin(struct lua_app *app, const struct lua_app_options *options,
                  struct err *err)
{
    struct opening opening = {app, options};

    return lua_sandbox_open(&options->limits, &app->sandbox, err) &&
           lua_sandbox_run(app->sandbox, open_file, &opening, err);
}

struct app *lua_app_open(const struct lua_app_options *options)
{
    static const struct app_ops ops = {
        .build = lua_app_build,
        .handle = lua_app_handle,
        .save = lua_app_save,
        .load = lua_app_load,
        .close = lua_app_close,
        .changed = lua_app_changed,
        .calls = lua_app_calls,
    };
    struct lua_app *app = mem_new(1, sizeof(*app));
    struct err err = ERR_INIT;

    app->app.ops = &ops;
    app->name = mem_dup(options->name);
    app->package = *options->package;
    app->handset = options->handset;
    app->stage = options->stage;
    app->truth = options->truth;
    app->seed = options->seed;
    app->skin = options->skin;
    app->state = (struct buf)BUF_INIT(STATE_MAX);
    if (!begin(app, options, &err))
        stop(app, &err);
    return &app->app;
}
