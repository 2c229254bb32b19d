#include "tools/phone/lua/lua_app.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keycode.h"
#include "base/mem.h"
#include "tools/phone/lua/lua_app_private.h"
#include "tools/phone/lua/lua_files.h"
#include "tools/phone/lua/lua_json.h"
#include "tools/phone/lua/lua_widget_kinds.h"
#include "tools/phone/lua/lua_widgets.h"
#include "tools/phone/system/intent.h"
#include "tools/phone/widgets/widget_kinds.h"

#define STATE_MAX ((size_t)512 * 1024)

int64_t lua_app_time(const struct lua_app *app)
{
    return virtual_clock_now(&app->handset->clock);
}

void lua_app_log(struct lua_app *app, char level, const char *tag,
                 const char *text)
{
    unsigned pid = processes_find(&app->handset->processes, app->package.name);

    logs_write(&app->handset->logs, lua_app_time(app), pid, level, tag, "%s",
               text);
}

/* ---- calls of prelude/phone.lua ---- */

static void push_frame(lua_State *lua, const char *function)
{
    lua_getfield(lua, LUA_REGISTRYINDEX, "frame");
    lua_getfield(lua, -1, function);
    lua_remove(lua, -2);
}

/* Record its state after each use, for the truth and for snapshots. */
static void note_state(lua_State *lua, struct lua_app *app)
{
    push_frame(lua, "save");
    lua_call(lua, 0, 1);
    buf_clear(&app->state);
    lua_json_write(lua, -1, "self", &app->state);
    lua_pop(lua, 1);
    if (app->truth)
        truth_log_state(app->truth, app->name, buf_cstr(&app->state));
}

/* ---- opening ---- */

struct opening {
    struct lua_app *app;
    const struct lua_app_options *options;
};

static void load_prelude(lua_State *lua, struct lua_app *app, const char *name)
{
    const struct embedded_file *file = embedded_find(&lua_files, name);

    lua_sandbox_load(lua, file->name, file->text, file->length);
    lua_app_push_services(lua, app);
    lua_call(lua, 1, 1);
}

static void push_intent(lua_State *lua, const struct phone_intent *intent)
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
    for (const char *const *prelude = lua_files_prelude; *prelude; prelude++)
        load_prelude(lua, app, *prelude);
    lua_sandbox_seal(lua, lua_widget_kinds_find);
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

struct lua_build {
    struct lua_app *app;
    struct lua_widgets widgets;
    const struct phone_surroundings *around;
    struct widget_tree *tree;
};

static void set_number(lua_State *lua, const char *name, double number)
{
    lua_pushnumber(lua, number);
    lua_setfield(lua, -2, name);
}

static const char *locale_name(const struct phone_surroundings *around)
{
    return around->locale == LOCALE_ZH ? "zh" : "en";
}

static void push_surroundings(lua_State *lua,
                              const struct phone_surroundings *around)
{
    lua_newtable(lua);
    set_number(lua, "width", around->width);
    set_number(lua, "height", around->height);
    set_number(lua, "top", around->status_bar);
    set_number(lua, "bottom", around->navigation);
    set_number(lua, "battery", around->battery);
    lua_pushboolean(lua, around->theme->dark);
    lua_setfield(lua, -2, "dark");
    lua_pushstring(lua, locale_name(around));
    lua_setfield(lua, -2, "locale");
}

/* Create a window for the widget at the top of the stack. */
static void add_window(lua_State *lua, struct lua_build *build)
{
    struct lua_widgets *widgets = &build->widgets;
    const char *package = build->app->package.name;
    const char *window;

    lua_getfield(lua, -1, "window");
    window = luaL_optstring(lua, -1, "");
    lua_pop(lua, 1);
    if (!strcmp(window, "dialog"))
        lua_widgets_fill(lua, widgets,
                         widget_kinds_dialog(build->tree, package));
    else if (!strcmp(window, "sheet"))
        lua_widgets_fill(lua, widgets,
                         widget_kinds_sheet(build->tree, package));
    else
        lua_widgets_add(lua, widgets, widget_window(build->tree, package));
}

static void build_screens(lua_State *lua, void *context)
{
    struct lua_build *build = context;
    lua_Integer count;
    int windows;

    build->app->redraw = 0;
    push_frame(lua, "build");
    push_surroundings(lua, build->around);
    lua_call(lua, 1, 2);
    windows = lua_gettop(lua) - 1;
    lua_widgets_begin(lua, &build->widgets);
    count = (lua_Integer)lua_rawlen(lua, windows);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(lua, windows, i);
        add_window(lua, build);
        lua_pop(lua, 1);
    }
}

/* Its colours take a while to work out, and change with the dark theme only. */
static const struct phone_theme *theme_of(struct lua_app *app, bool dark)
{
    if (!app->themed || app->theme.dark != dark)
        theme_init(&app->theme, app->hue, dark);
    app->themed = true;
    return &app->theme;
}

static void lua_app_build(struct phone_app *app,
                          const struct phone_surroundings *around,
                          struct widget_tree *tree)
{
    struct lua_app *self = (struct lua_app *)app;
    const struct phone_theme *theme = tree->theme;
    struct lua_build build = {
        .app = self,
        .widgets = {.locale = locale_name(around), .skinned = self->skin != 0},
        .around = around,
        .tree = tree,
    };
    struct err err = ERR_INIT;

    self->settings = settings_changes(&self->handset->settings);
    lua_pictures_begin(self->pictures);
    tree->find_picture = lua_pictures_find;
    tree->pictures = self->pictures;
    if (self->hue > 0)
        tree->theme = theme_of(self, around->theme->dark);
    if (!self->stopped &&
        !lua_sandbox_run(self->sandbox, build_screens, &build, &err))
        lua_app_stop(self, &err);
    tree->theme = theme;
    if (self->stopped)
        lua_app_build_stopped(self, around, tree);
}

/* ---- input ---- */

struct use {
    struct lua_app *app;
    const struct phone_app_event *event;
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

/* A slider with integer steps gives integers. */
static void push_number(lua_State *lua, double number)
{
    lua_Integer whole;

    if (lua_numbertointeger(number, &whole) && (double)whole == number)
        lua_pushinteger(lua, whole);
    else
        lua_pushnumber(lua, number);
}

/* Push the event's name, the widget's action, and its current value. */
static int push_widget_event(lua_State *lua,
                             const struct phone_app_event *event)
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

/* Push the event as the prelude takes it, and return the number of values. */
static int push_event(lua_State *lua, const struct phone_app_event *event)
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

static bool lua_app_handle(struct phone_app *app,
                           const struct phone_app_event *event)
{
    struct lua_app *self = (struct lua_app *)app;
    struct use use = {self, event, false};
    struct err err = ERR_INIT;

    if (self->stopped)
        return lua_app_handle_stopped(self, event);
    if (lua_sandbox_run(self->sandbox, use_app, &use, &err))
        return use.used;
    lua_app_stop(self, &err);
    return true;
}

struct describe_event {
    int action;
    struct buf *out;
};

static void tell_calls(lua_State *lua, void *context)
{
    const struct describe_event *telling = context;

    push_frame(lua, "calls");
    lua_pushinteger(lua, telling->action);
    lua_call(lua, 1, 1);
    buf_text(telling->out, luaL_checkstring(lua, -1));
}

static void lua_app_calls(struct phone_app *app, int action, int64_t argument,
                          struct buf *out)
{
    struct lua_app *self = (struct lua_app *)app;
    struct describe_event telling = {action, out};
    struct err err = ERR_INIT;

    (void)argument;
    if (!self->stopped &&
        !lua_sandbox_run(self->sandbox, tell_calls, &telling, &err))
        buf_clear(out);
}

static bool lua_app_changed(struct phone_app *app)
{
    const struct lua_app *self = (const struct lua_app *)app;

    return (self->redraw && lua_app_time(self) >= self->redraw) ||
           self->settings != settings_changes(&self->handset->settings);
}

/* ---- snapshots ---- */

static void save_state(lua_State *lua, void *context)
{
    note_state(lua, context);
}

static void lua_app_save(struct phone_app *app, struct buf *out)
{
    struct lua_app *self = (struct lua_app *)app;
    struct err err = ERR_INIT;

    if (!self->stopped &&
        !lua_sandbox_run(self->sandbox, save_state, self, &err))
        lua_app_stop(self, &err);
    saved_state_put_text(out, self->stopped ? self->why.text : "");
    saved_state_put_text(out, self->stopped ? "" : buf_cstr(&self->state));
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

static void lua_app_load(struct phone_app *app, struct saved_state *in)
{
    struct lua_app *self = (struct lua_app *)app;
    struct loading loading = {.app = self};
    struct err err = ERR_INIT;
    char *text;

    saved_state_text(in, err.text, sizeof(err.text));
    text = saved_state_new_text(in, STATE_MAX);
    loading.text = text ? text : "";
    if (err.text[0])
        lua_app_stop(self, &err);
    else if (!self->stopped && !in->broken &&
             !lua_sandbox_run(self->sandbox, load_state, &loading, &err))
        saved_state_break(in);
    free(text);
}

/* ---- opening and closing ---- */

static void lua_app_close(struct phone_app *app)
{
    struct lua_app *self = (struct lua_app *)app;

    if (self->truth)
        truth_log_state(self->truth, self->name, NULL);
    lua_sandbox_close(self->sandbox);
    lua_pictures_free(self->pictures);
    buf_release(&self->state);
    free(self->name);
    free(self);
}

static bool begin(struct lua_app *app, const struct lua_app_options *options,
                  struct err *err)
{
    struct opening opening = {app, options};
    struct lua_sandbox_limits limits = options->limits;

    limits.stop = &app->handset->stopping;
    return lua_sandbox_open(&limits, &app->sandbox, err) &&
           lua_sandbox_run(app->sandbox, open_file, &opening, err);
}

struct phone_app *lua_app_open(const struct lua_app_options *options)
{
    static const struct phone_app_ops ops = {
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
    app->task_stack = options->task_stack;
    app->truth = options->truth;
    app->seed = options->seed;
    app->skin = options->skin;
    app->state = (struct buf)BUF_INIT(STATE_MAX);
    app->pictures =
        lua_pictures_new(options->handset->root, options->package->name);
    if (!begin(app, options, &err))
        lua_app_stop(app, &err);
    return &app->app;
}
