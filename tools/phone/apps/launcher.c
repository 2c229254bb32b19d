#include "tools/phone/apps/launcher.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/keycode.h"
#include "tools/phone/apps/builtin_app.h"
#include "tools/phone/screen/clock_text.h"
#include "tools/phone/widgets/widget_kinds.h"

#define QUERY_MAX 256
#define LAUNCHER_UID 10072

/* Size of an app in dp, and number in a row. */
#define CELL_WIDTH 96
#define COLUMNS_MIN 4
#define COLUMNS_MAX 8

/* Screens lower than this, in dp, get a compact layout. */
#define LOW_SCREEN 480
#define LARGE_TEXT 1.5F

#define HILLS 3

enum launcher_action {
    OPEN_APP = 1, /* plus the app's index */
    SEARCH,
    CLEAR_SEARCH,
};

enum launcher_word {
    WORD_SEARCH,
    WORD_CLEAR,
    WORD_NOTHING,
};

static const char *const words[][2] = {
    [WORD_SEARCH] = {"Search apps", "搜索应用"},
    [WORD_CLEAR] = {"Clear", "清除"},
    [WORD_NOTHING] = {"No apps found", "未找到应用"},
};

struct launcher {
    struct builtin_app base;
    struct package_list packages; /* packages as last shown */
    bool searching;
    struct buf query; /* typed search text */
};

/* State of building the screen, from top to bottom. */
struct launcher_build {
    const struct launcher *launcher;
    const struct phone_surroundings *around;
    const struct phone_theme *theme;
    bool crowded; /* less space between things, so that all of them fit */
};

static const char *say(const struct launcher_build *build,
                       enum launcher_word word)
{
    return words[word][build->around->locale];
}

static const struct phone_package *package_at(
    const struct launcher_build *build, size_t app)
{
    return &build->launcher->packages.packages[app];
}

static const char *name_of(const struct launcher_build *build, size_t app)
{
    return package_label(package_at(build, app), build->around->locale);
}

/* ---- the wallpaper ---- */

/*
 * Hills below a sky: each is the top of a large disc. Sizes are parts of the
 * screen.
 */
static const struct hill {
    float x, top, radius; /* parts of the width, height, width */
} hills[HILLS] = {
    {0.85F, 0.62F, 1.10F},
    {0.10F, 0.72F, 1.25F},
    {0.95F, 0.84F, 1.60F},
};

static const struct wallpaper {
    uint32_t ink; /* colour of text on it */
    uint32_t sky_top;
    uint32_t sky_bottom;
    uint32_t hills[HILLS]; /* from the farthest to the nearest */
} wallpapers[] = {
    {0xff1f2340, 0xffcfdcff, 0xfffde7dc, {0xffe9d3e6, 0xffc9c0e8, 0xffa5aee0}},
    {0xfff3f1ff, 0xff12162e, 0xff4a3560, {0xff33284f, 0xff241f42, 0xff171731}},
};

static const struct wallpaper *wallpaper_of(bool dark)
{
    return &wallpapers[dark];
}

static void draw_wallpaper(const struct widget *widget, struct canvas *canvas,
                           struct box box)
{
    const struct wallpaper *wallpaper = wallpaper_of(widget->argument);
    float width = (float)box_width(box);
    float height = (float)box_height(box);

    canvas_gradient(canvas, box, wallpaper->sky_top, wallpaper->sky_bottom);
    for (int i = 0; i < HILLS; i++) {
        int radius = (int)(hills[i].radius * width);
        int x = (int)(hills[i].x * width);
        int top = (int)(hills[i].top * height);
        struct box disc = {x - radius, top, x + radius, top + 2 * radius};

        canvas_round(canvas, disc, (float)radius, wallpaper->hills[i]);
    }
}

static const struct widget_kind kind_wallpaper = {
    .class = "android.view.View",
    .draw = draw_wallpaper,
};

static void add_wallpaper(const struct launcher_build *build,
                          struct widget *parent)
{
    struct widget *wallpaper = widget_new(parent, &kind_wallpaper);

    wallpaper->layout.width = WIDGET_FILL;
    wallpaper->layout.height = WIDGET_FILL;
    wallpaper->argument = build->theme->dark;
    widget_set_id(wallpaper, "scrim_view");
}

/* ---- date and weather ---- */

/* The date, and weather derived from the seed. */
static void add_glance(const struct launcher_build *build,
                       struct widget *parent)
{
    static const char *const skies[] = {"☀️", "⛅", "🌧️", "🌤️"};
    uint64_t seed = build->around->seed * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t ink = wallpaper_of(build->theme->dark)->ink;
    struct widget *column = widget_new(parent, &kind_column);
    float above = build->crowded ? 4 : 28;
    struct widget *date;
    char text[64];

    column->layout.padding =
        (struct widget_edges){8, above, 8, build->crowded ? 8 : 20};
    column->layout.gap = 4;
    widget_set_id(column, "smartspace_container");
    clock_text_date(build->around->now, build->around->locale, text,
                    sizeof(text));
    date = widget_kinds_text(column, NULL, text, 28, ink);
    widget_set_id(date, "date");
    snprintf(text, sizeof(text), "%s %d°C",
             skies[(seed >> 60) % ARRAY_LEN(skies)],
             14 + (int)((seed >> 40) % 14));
    widget_kinds_text(column, "weather", text, 16, ink);
}

/* ---- apps ---- */

static bool is_shown(const struct phone_package *package)
{
    return package->activity[0] && !package->disabled && !package->hidden;
}

/* Does the name begin with the typed text? */
static bool is_found(const struct launcher_build *build, size_t app)
{
    const struct buf *query = &build->launcher->query;

    return !strncasecmp(name_of(build, app), buf_cstr(query), query->length);
}

static struct widget *add_app(const struct launcher_build *build,
                              struct widget *parent, size_t app, bool named)
{
    struct widget *widget = widget_new(parent, &kind_app);
    float around = build->crowded ? 2 : 8;

    widget_set_text(widget, name_of(build, app));
    widget_set_description(widget, name_of(build, app));
    widget_set_action(widget, OPEN_APP, (int64_t)app);
    widget->flags |= WIDGET_LONG_CLICKABLE;
    widget->look.icon = package_icon(package_at(build, app));
    widget->look.ink = wallpaper_of(build->theme->dark)->ink;
    widget->look.radius = 20;
    widget->look.lines = 1;
    widget->look.text_size = named ? 13 : 0;
    widget->layout.padding = (struct widget_edges){4, around, 4, around};
    return widget;
}

static int columns_of(const struct launcher_build *build)
{
    int columns = (int)(build->around->width / CELL_WIDTH);

    if (columns < COLUMNS_MIN)
        return COLUMNS_MIN;
    return columns > COLUMNS_MAX ? COLUMNS_MAX : columns;
}

/*
 * A search also finds hidden apps. The keyboard leaves little room for them, so
 * that they scroll.
 */
static void add_apps(const struct launcher_build *build, struct widget *parent)
{
    bool open = build->launcher->searching;
    bool searching = build->launcher->query.length > 0;
    struct widget *grid = widget_new(parent, open ? &kind_list : &kind_grid);

    grid->layout.weight = open ? 1 : 0;
    grid->layout.columns = columns_of(build);
    grid->layout.width = WIDGET_FILL;
    grid->layout.gap = 4;
    widget_set_id(grid, "cell_layout");
    for (size_t i = 0; i < build->launcher->packages.count; i++) {
        const struct phone_package *package = package_at(build, i);

        if (is_shown(package) &&
            (searching ? is_found(build, i) : !package->docked))
            add_app(build, grid, i, true);
    }
    if (!grid->first)
        widget_kinds_text(parent, "no_results", say(build, WORD_NOTHING), 16,
                          wallpaper_of(build->theme->dark)->ink);
}

static bool has_docked_apps(const struct launcher_build *build)
{
    for (size_t i = 0; i < build->launcher->packages.count; i++) {
        const struct phone_package *package = package_at(build, i);

        if (is_shown(package) && package->docked)
            return true;
    }
    return false;
}

static void add_dock(const struct launcher_build *build, struct widget *parent)
{
    struct widget *dock;

    if (!has_docked_apps(build))
        return;
    dock = widget_new(parent, &kind_row);
    dock->layout.width = WIDGET_FILL;
    dock->layout.padding = (struct widget_edges){0, 0, 0, 12};
    widget_set_id(dock, "hotseat");
    for (size_t i = 0; i < build->launcher->packages.count; i++) {
        const struct phone_package *package = package_at(build, i);

        if (is_shown(package) && package->docked)
            add_app(build, dock, i, false)->layout.weight = 1;
    }
}

/* ---- the search field ---- */

static void add_search(const struct launcher_build *build,
                       struct widget *parent)
{
    const struct launcher *launcher = build->launcher;
    const struct phone_theme *theme = build->theme;
    struct widget *pill = widget_new(parent, &kind_row);
    struct widget *field, *clear;

    pill->layout = (struct widget_layout){.width = WIDGET_FILL,
                                          .height = 56,
                                          .gap = 12,
                                          .padding = {18, 0, 8, 0},
                                          .down = WIDGET_CENTER};
    pill->look.background = theme->surface_container_high;
    pill->look.shadow = color_fade(0xff000000, 40);
    pill->look.radius = 28;
    widget_set_id(pill, "search_container_hotseat");
    widget_kinds_icon(pill, NULL, &icon_search, 24, theme->primary.base);
    field = widget_new(pill, &kind_field);
    field->layout.weight = 1;
    field->layout.height = WIDGET_FILL;
    field->look.background = 0;
    field->layout.padding = (struct widget_edges){0, 0, 0, 0};
    widget_set_id(field, "search_box");
    widget_set_text(field, buf_cstr(&launcher->query));
    widget_set_hint(field, say(build, WORD_SEARCH));
    widget_set_action(field, SEARCH, 0);
    if (!launcher->searching)
        return;
    clear = widget_kinds_icon(pill, NULL, &icon_close, 40,
                              theme->on_surface_variant);
    clear->layout.padding = (struct widget_edges){8, 8, 8, 8};
    clear->look.radius = 20;
    widget_set_class(clear, "android.widget.ImageButton");
    widget_set_description(clear, say(build, WORD_CLEAR));
    widget_set_action(clear, CLEAR_SEARCH, 0);
}

/* ---- the whole screen ---- */

static struct widget *add_layer(struct widget *parent, const char *id)
{
    struct widget *layer = widget_new(parent, &kind_stack);

    layer->layout.width = WIDGET_FILL;
    layer->layout.height = WIDGET_FILL;
    widget_set_id(layer, id);
    return layer;
}

static void build_home(const struct launcher_build *build,
                       struct widget_tree *tree)
{
    const struct phone_surroundings *around = build->around;
    struct widget *window = widget_window(tree, LAUNCHER_PACKAGE);
    struct widget *content = add_layer(window, "android:id/content");
    struct widget *layer =
        add_layer(add_layer(content, "launcher"), "drag_layer");
    struct widget *workspace;

    window->look.ink = wallpaper_of(build->theme->dark)->ink;
    add_wallpaper(build, layer);
    workspace = widget_new(layer, &kind_column);
    workspace->layout = (struct widget_layout){
        .width = WIDGET_FILL,
        .height = WIDGET_FILL,
        .padding = {20, around->status_bar, 20, around->navigation + 12}};
    widget_set_id(workspace, "workspace");
    add_glance(build, workspace);
    add_apps(build, workspace);
    if (!build->launcher->searching) {
        widget_new(workspace, &kind_space)->layout.weight = 1;
        add_dock(build, workspace);
    }
    add_search(build, workspace);
}

static void launcher_build(struct phone_app *app,
                           const struct phone_surroundings *around,
                           struct widget_tree *tree)
{
    struct launcher *launcher = (struct launcher *)app;
    const struct launcher_build build = {
        .launcher = launcher,
        .around = around,
        .theme = around->theme,
        .crowded = around->height < LOW_SCREEN || tree->text_scale > LARGE_TEXT,
    };

    package_list_release(&launcher->packages);
    launcher->packages =
        packages_list(task_stack_packages(launcher->base.task_stack));
    build_home(&build, tree);
}

/* ---- input ---- */

static bool stop_searching(struct launcher *launcher)
{
    bool was = launcher->searching;

    launcher->searching = false;
    buf_clear(&launcher->query);
    return was;
}

/* The index is that of the pressed widget. */
static void open_app(struct launcher *launcher, size_t app)
{
    const struct phone_package *package = &launcher->packages.packages[app];
    struct phone_component component = package_launcher(package);
    const struct phone_intent intent = intent_main(&component);

    task_stack_start(launcher->base.task_stack, &intent, LAUNCHER_UID, NULL);
}

static bool handle_click(struct launcher *launcher,
                         const struct phone_app_event *event)
{
    switch ((enum launcher_action)event->action) {
    case OPEN_APP:
        open_app(launcher, (size_t)event->argument);
        return true;
    case SEARCH:
        launcher->searching = true;
        return true;
    case CLEAR_SEARCH:
        return stop_searching(launcher);
    }
    return false;
}

static bool handle_key(struct launcher *launcher, int key)
{
    switch (key) {
    case KEY_BACK:
    case KEY_ESCAPE:
    case KEY_HOME:
        return stop_searching(launcher);
    default:
        return false;
    }
}

static bool handle_change(struct launcher *launcher, const char *text)
{
    buf_clear(&launcher->query);
    buf_text(&launcher->query, text);
    return true;
}

static bool launcher_handle(struct phone_app *app,
                            const struct phone_app_event *event)
{
    struct launcher *launcher = (struct launcher *)app;

    switch (event->kind) {
    case APP_CLICK:
    case APP_LONG_CLICK:
        return handle_click(launcher, event);
    case APP_KEY:
        return handle_key(launcher, event->key);
    case APP_CHANGE:
        return handle_change(launcher, event->text);
    case APP_OUTSIDE:
    case APP_TEXT:
    case APP_SUBMIT:
    case APP_SCROLL:
    case APP_TIMER:
    case APP_INTENT:
        break;
    }
    return false;
}

static void launcher_calls(struct phone_app *app, int action, int64_t argument,
                           struct buf *out)
{
    const struct launcher *launcher = (const struct launcher *)app;
    size_t place = (size_t)argument;

    switch ((enum launcher_action)action) {
    case OPEN_APP:
        if (place < launcher->packages.count)
            buf_printf(out, "launcher.open %s",
                       launcher->packages.packages[place].name);
        break;
    case SEARCH:
        buf_text(out, "launcher.search");
        break;
    case CLEAR_SEARCH:
        buf_text(out, "launcher.clear_search");
        break;
    }
}

static void launcher_save(struct phone_app *app, struct buf *out)
{
    const struct launcher *launcher = (const struct launcher *)app;

    saved_state_put_bool(out, launcher->searching);
    saved_state_put_text(out, buf_cstr(&launcher->query));
}

static void launcher_load(struct phone_app *app, struct saved_state *in)
{
    struct launcher *launcher = (struct launcher *)app;
    bool searching = saved_state_bool(in);
    char query[QUERY_MAX + 1];

    saved_state_text(in, query, sizeof(query));
    if (in->trial || in->broken)
        return;
    launcher->searching = searching;
    buf_clear(&launcher->query);
    buf_text(&launcher->query, query);
}

static void launcher_close(struct phone_app *app)
{
    struct launcher *launcher = (struct launcher *)app;

    package_list_release(&launcher->packages);
    buf_release(&launcher->query);
    builtin_app_close(app);
}

struct phone_app *launcher_open(const struct task_stack_opening *opening,
                                void *context)
{
    static const struct phone_app_ops ops = {
        .build = launcher_build,
        .handle = launcher_handle,
        .save = launcher_save,
        .load = launcher_load,
        .close = launcher_close,
        .calls = launcher_calls,
    };
    struct launcher *launcher =
        builtin_app_new(sizeof(*launcher), &ops, opening);

    (void)context;
    launcher->query = (struct buf)BUF_INIT(QUERY_MAX);
    return &launcher->base.app;
}
