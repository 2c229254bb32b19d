#include "tools/phone/activities/notification_shade.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keycode.h"
#include "base/mem.h"
#include "tools/phone/screen/clock_text.h"
#include "tools/phone/widgets/widget_kinds.h"

#define PACKAGE "com.android.systemui"
#define SETTINGS_PACKAGE "com.android.settings"
#define SYSTEM_UI_UID 10090

/* Ids above those of apps, so that they do not collide. */
enum shade_action {
    TOGGLE = (1 << 28) + 1, /* plus the tile's index */
    OPEN,                   /* plus the notification's index */
    OPEN_DEBUGGING,
    OPEN_SETTINGS,
    CLEAR_ALL,
    SET_BRIGHTNESS,
    COLLAPSE,
};

/* Notifications that are shown; the rest is only counted. */
#define SHOWN_MAX 4U

/* Layout of the notifications' page. */
#define FEW_TILES 4U

#define BRIGHTNESS_MAX 255

/* ---- tiles ---- */

/* A switch of the settings, and its event in the ground truth. */
static const struct shade_tile {
    const char *name;
    const char *icon;
    const char *labels[2];
    enum settings_space space;
    const char *setting;
    const char *on;
    const char *off;
} tiles[] = {
    {"wifi",
     "wifi_sign",
     {"Wi-Fi", "WLAN"},
     SETTINGS_GLOBAL,
     "wifi_on",
     "1",
     "0"},
    {"bluetooth",
     "bluetooth",
     {"Bluetooth", "蓝牙"},
     SETTINGS_GLOBAL,
     "bluetooth_on",
     "1",
     "0"},
    {"do_not_disturb",
     "minus",
     {"Do Not Disturb", "勿扰"},
     SETTINGS_GLOBAL,
     "zen_mode",
     "1",
     "0"},
    {"rotate",
     "restart",
     {"Auto-rotate", "自动旋转"},
     SETTINGS_SYSTEM,
     "accelerometer_rotation",
     "1",
     "0"},
    {"airplane",
     "airplane",
     {"Airplane mode", "飞行模式"},
     SETTINGS_GLOBAL,
     "airplane_mode_on",
     "1",
     "0"},
    {"dark",
     "dark",
     {"Dark theme", "深色主题"},
     SETTINGS_SECURE,
     "ui_night_mode",
     "2",
     "1"},
    {"mobile",
     "swap",
     {"Mobile data", "移动数据"},
     SETTINGS_GLOBAL,
     "mobile_data",
     "1",
     "0"},
    {"adaptive",
     "lightbulb",
     {"Adaptive brightness", "自动调节亮度"},
     SETTINGS_SYSTEM,
     "screen_brightness_mode",
     "1",
     "0"},
};

enum shade_word {
    WORD_ON,
    WORD_OFF,
    WORD_BRIGHTNESS,
    WORD_SETTINGS,
    WORD_CLEAR_ALL,
    WORD_SYSTEM,
    WORD_DEBUGGING,
    WORD_DEBUGGING_TEXT,
    WORD_SHADE,
};

static const char *const words[][2] = {
    [WORD_ON] = {"On", "已开启"},
    [WORD_OFF] = {"Off", "已关闭"},
    [WORD_BRIGHTNESS] = {"Display brightness", "屏幕亮度"},
    [WORD_SETTINGS] = {"Open settings", "打开设置"},
    [WORD_CLEAR_ALL] = {"Clear all", "全部清除"},
    [WORD_SYSTEM] = {"Android System", "Android 系统"},
    [WORD_DEBUGGING] = {"USB debugging connected", "已连接到 USB 调试"},
    [WORD_DEBUGGING_TEXT] = {"Tap to turn off USB debugging",
                             "点按即可关闭 USB 调试"},
    [WORD_SHADE] = {"Notification shade", "通知栏"},
};

struct notification_shade {
    struct phone_app app;
    struct phone_app *below; /* the task stack's app; closed with this one */
    struct task_stack *task_stack;
    struct handset *handset;
    struct truth_log *truth;
    unsigned long settings; /* number of changes that the last screen showed */
    unsigned long notifications; /* the same for notifications */

    pthread_mutex_t lock; /* guards everything below */
    enum notification_shade_state state;
    bool changed; /* since the last call of changed() */
};

enum notification_shade_state notification_shade_state(
    struct notification_shade *shade)
{
    enum notification_shade_state state;

    pthread_mutex_lock(&shade->lock);
    state = shade->state;
    pthread_mutex_unlock(&shade->lock);
    return state;
}

void notification_shade_set(struct notification_shade *shade,
                            enum notification_shade_state state)
{
    pthread_mutex_lock(&shade->lock);
    shade->changed = shade->changed || shade->state != state;
    shade->state = state;
    pthread_mutex_unlock(&shade->lock);
}

static bool is_on(struct notification_shade *shade,
                  const struct shade_tile *tile)
{
    struct buf value = BUF_INIT(STRING_MAP_VALUE_MAX);
    bool on = settings_get(&shade->handset->settings, tile->space,
                           tile->setting, &value) &&
              !strcmp(buf_cstr(&value), tile->on);

    buf_release(&value);
    return on;
}

/* ---- building ---- */

/* State of building the screen, from top to bottom. */
struct shade_build {
    struct notification_shade *shade;
    const struct phone_surroundings *around;
    const struct phone_theme *theme;
    enum notification_shade_state state;
};

static const char *say(const struct shade_build *build, enum shade_word word)
{
    return words[word][build->around->locale];
}

static struct widget *add_text(struct widget *parent, const char *id,
                               const char *text, float size, uint32_t ink)
{
    struct widget *widget = widget_kinds_text(parent, id, text, size, ink);

    widget->look.lines = 1;
    return widget;
}

static void add_header(const struct shade_build *build, struct widget *column)
{
    const struct phone_surroundings *around = build->around;
    struct widget *row = widget_new(column, &kind_row);
    char text[64];

    row->layout = (struct widget_layout){.width = WIDGET_FILL,
                                         .gap = 12,
                                         .padding = {8, 4, 8, 4},
                                         .down = WIDGET_CENTER};
    clock_text_time(around->now, around->locale, text, sizeof(text));
    add_text(row, "clock", text, build->state == SHADE_SETTINGS ? 36 : 20,
             build->theme->on_surface);
    clock_text_date(around->now, around->locale, text, sizeof(text));
    add_text(row, "date", text, 16, build->theme->on_surface_variant);
}

/* As in Android 12 and later: a switch with its name and state inside. */
static void add_tile(const struct shade_build *build, struct widget *grid,
                     const struct shade_tile *tile)
{
    bool on = is_on(build->shade, tile);
    const struct phone_theme *theme = build->theme;
    uint32_t ink = on ? theme->primary.on : theme->on_surface;
    const char *label = tile->labels[build->around->locale];
    struct widget *row = widget_new(grid, &kind_row);
    struct widget *names;

    row->layout = (struct widget_layout){.width = WIDGET_FILL,
                                         .height = 68,
                                         .gap = 14,
                                         .padding = {18, 0, 12, 0},
                                         .down = WIDGET_CENTER};
    row->look.background =
        on ? theme->primary.base : theme->surface_container_highest;
    row->look.radius = 34;
    row->flags |= WIDGET_CHECKABLE | (on ? WIDGET_CHECKED : 0U);
    widget_set_class(row, "android.widget.Switch");
    widget_set_id(row, tile->name);
    widget_set_key(row, tile->name);
    widget_set_description(row, label);
    widget_set_action(row, TOGGLE, tile - tiles);
    widget_kinds_icon(row, "icon", icon_find(tile->icon), 22, ink);
    names = widget_new(row, &kind_column);
    names->layout.weight = 1;
    add_text(names, "tile_label", label, 14, ink)->look.weight = FONT_MEDIUM;
    add_text(names, "app_label", say(build, on ? WORD_ON : WORD_OFF), 13, ink);
}

static void add_tiles(const struct shade_build *build, struct widget *column)
{
    struct widget *grid = widget_new(column, &kind_grid);
    size_t count =
        build->state == SHADE_SETTINGS ? ARRAY_LEN(tiles) : FEW_TILES;

    grid->layout.width = WIDGET_FILL;
    grid->layout.columns = 2;
    grid->layout.gap = 8;
    widget_set_id(grid, "quick_settings_panel");
    for (size_t i = 0; i < count; i++)
        add_tile(build, grid, &tiles[i]);
}

static void add_brightness(const struct shade_build *build,
                           struct widget *column)
{
    struct buf value = BUF_INIT(STRING_MAP_VALUE_MAX);
    struct widget *slider = widget_new(column, &kind_slider);
    long level = settings_get(&build->shade->handset->settings, SETTINGS_SYSTEM,
                              "screen_brightness", &value)
                     ? strtol(buf_cstr(&value), NULL, 10)
                     : BRIGHTNESS_MAX / 2;

    buf_release(&value);
    slider->layout.width = WIDGET_FILL;
    slider->range = (struct widget_range){(float)level, 0, BRIGHTNESS_MAX, 1};
    widget_set_id(slider, "slider");
    widget_set_description(slider, say(build, WORD_BRIGHTNESS));
    widget_set_action(slider, SET_BRIGHTNESS, 0);
}

/* The text of a card, and its action. */
struct card {
    const struct phone_icon *icon;
    const char *app;
    const char *title;
    const char *text;
    int action;
    int64_t argument;
};

static void add_card(const struct shade_build *build, struct widget *column,
                     const struct card *card)
{
    const struct phone_theme *theme = build->theme;
    struct widget *row = widget_new(column, &kind_row);
    struct widget *names;

    row->layout = (struct widget_layout){.width = WIDGET_FILL,
                                         .gap = 16,
                                         .padding = {16, 14, 16, 14},
                                         .down = WIDGET_CENTER};
    row->look.background = theme->surface_container_lowest;
    row->look.radius = 24;
    widget_set_id(row, "expandableNotificationRow");
    widget_set_class(row, "android.widget.FrameLayout");
    widget_set_action(row, card->action, card->argument);
    widget_kinds_icon(row, "android:id/icon", card->icon, 36,
                      theme->primary.base);
    names = widget_new(row, &kind_column);
    names->layout.weight = 1;
    names->layout.gap = 2;
    add_text(names, "android:id/app_name_text", card->app, 12,
             theme->on_surface_variant);
    add_text(names, "android:id/title", card->title, 15, theme->on_surface)
        ->look.weight = FONT_MEDIUM;
    if (*card->text)
        add_text(names, "android:id/text", card->text, 14,
                 theme->on_surface_variant);
}

static void add_posted(const struct shade_build *build, struct widget *column,
                       const struct phone_notification *posted, size_t at)
{
    struct phone_package *package = mem_new(1, sizeof(*package));
    bool known = packages_find(&build->shade->handset->packages,
                               posted->package, package);
    const struct card card = {
        known ? package_icon(package) : &icon_app,
        known ? package_label(package, build->around->locale) : posted->package,
        posted->title,
        posted->text,
        OPEN,
        (int64_t)at,
    };

    add_card(build, column, &card);
    free(package);
}

static void add_notifications(const struct shade_build *build,
                              struct widget *column)
{
    struct phone_notification *list = mem_new(NOTIFICATIONS_MAX, sizeof(*list));
    const struct card debugging = {icon_find("usb"),
                                   say(build, WORD_SYSTEM),
                                   say(build, WORD_DEBUGGING),
                                   say(build, WORD_DEBUGGING_TEXT),
                                   OPEN_DEBUGGING,
                                   0};
    size_t count;
    char more[16];

    build->shade->notifications =
        notifications_changes(&build->shade->handset->notifications);
    count = notifications_list(&build->shade->handset->notifications, list);
    for (size_t i = 0; i < count && i < SHOWN_MAX; i++)
        add_posted(build, column, &list[i], i);
    if (count > SHOWN_MAX) {
        snprintf(more, sizeof(more), "+%zu", count - SHOWN_MAX);
        add_text(column, "more", more, 14, build->theme->on_surface_variant);
    }
    add_card(build, column, &debugging);
    if (count)
        widget_kinds_text_button(column, "dismiss_text",
                                 say(build, WORD_CLEAR_ALL), CLEAR_ALL);
    free(list);
}

/* A tap on the rest of the screen closes the shade. */
static void add_rest(struct widget *column)
{
    struct widget *rest = widget_new(column, &kind_space);

    rest->layout.width = WIDGET_FILL;
    rest->layout.weight = 1;
    widget_set_id(rest, "scrim_behind");
    widget_set_action(rest, COLLAPSE, 0);
}

static void add_footer(const struct shade_build *build, struct widget *column)
{
    struct widget *row = widget_new(column, &kind_row);
    struct widget *gear;

    row->layout.width = WIDGET_FILL;
    row->layout.across = WIDGET_END;
    gear = widget_kinds_icon(row, "settings_button_container",
                             icon_find("gear"), 44, build->theme->on_surface);
    gear->layout.padding = (struct widget_edges){10, 10, 10, 10};
    widget_set_class(gear, "android.widget.ImageButton");
    widget_set_description(gear, say(build, WORD_SETTINGS));
    widget_set_action(gear, OPEN_SETTINGS, 0);
}

static void build_shade(const struct shade_build *build,
                        struct widget_tree *tree)
{
    const struct phone_surroundings *around = build->around;
    struct widget *window = widget_window(tree, PACKAGE);
    struct widget *column = widget_new(window, &kind_column);

    window->flags |= WIDGET_SHADE;
    window->look.background = build->theme->surface_container;
    window->look.ink = build->theme->on_surface;
    widget_set_description(column, say(build, WORD_SHADE));
    widget_set_id(column, "notification_panel");
    column->layout = (struct widget_layout){
        .width = WIDGET_FILL,
        .height = WIDGET_FILL,
        .gap = 10,
        .padding = {16, around->status_bar + 8, 16, around->navigation + 8}};
    add_header(build, column);
    if (build->state == SHADE_SETTINGS)
        add_brightness(build, column);
    add_tiles(build, column);
    if (build->state == SHADE_NOTIFICATIONS)
        add_notifications(build, column);
    else
        add_footer(build, column);
    add_rest(column);
}

static void shade_build(struct phone_app *app,
                        const struct phone_surroundings *around,
                        struct widget_tree *tree)
{
    struct notification_shade *shade = (struct notification_shade *)app;
    const struct shade_build build = {shade, around, around->theme,
                                      notification_shade_state(shade)};

    shade->below->ops->build(shade->below, around, tree);
    shade->settings = settings_changes(&shade->handset->settings);
    if (build.state != SHADE_CLOSED)
        build_shade(&build, tree);
}

/* ---- input ---- */

/*
 * The ground truth records the same event as Settings, as it is the same
 * setting.
 */
static void toggle(struct notification_shade *shade,
                   const struct shade_tile *tile)
{
    bool on = !is_on(shade, tile);

    (void)!settings_put(&shade->handset->settings, tile->space, tile->setting,
                        on ? tile->on
                           : tile->off); /* ignored if the store is full */
    if (shade->truth)
        truth_log_event(shade->truth, virtual_clock_now(&shade->handset->clock),
                        "settings", tile->name, on ? "[\"on\"]" : "[\"off\"]");
}

static void set_brightness(struct notification_shade *shade, float value)
{
    char level[32];
    char arguments[48];

    snprintf(level, sizeof(level), "%d", (int)value);
    snprintf(arguments, sizeof(arguments), "[%s]", level);
    (void)!settings_put(&shade->handset->settings, SETTINGS_SYSTEM,
                        "screen_brightness", level);
    if (shade->truth)
        truth_log_event(shade->truth, virtual_clock_now(&shade->handset->clock),
                        "settings", "brightness", arguments);
}

static void launch(struct notification_shade *shade, const char *package)
{
    notification_shade_set(shade, SHADE_CLOSED);
    task_stack_launch(shade->task_stack, package, SYSTEM_UI_UID);
}

static void open_debugging(struct notification_shade *shade)
{
    const struct phone_intent intent = {
        .action = "android.settings.APPLICATION_DEVELOPMENT_SETTINGS",
        .package = SETTINGS_PACKAGE,
        .flags = INTENT_NEW_TASK,
    };

    notification_shade_set(shade, SHADE_CLOSED);
    if (task_stack_start(shade->task_stack, &intent, SYSTEM_UI_UID, NULL) >
        TASK_STACK_DELIVERED)
        launch(shade, SETTINGS_PACKAGE);
}

static void open_posted(struct notification_shade *shade, size_t at)
{
    struct phone_notification *list = mem_new(NOTIFICATIONS_MAX, sizeof(*list));
    size_t count = notifications_list(&shade->handset->notifications, list);

    if (at < count) {
        notifications_remove(&shade->handset->notifications, at);
        launch(shade, list[at].package);
    }
    free(list);
}

static bool is_ours(int action)
{
    return action >= TOGGLE && action <= COLLAPSE;
}

static void click(struct notification_shade *shade,
                  const struct phone_app_event *event)
{
    switch ((enum shade_action)event->action) {
    case TOGGLE:
        if ((size_t)event->argument < ARRAY_LEN(tiles))
            toggle(shade, &tiles[event->argument]);
        break;
    case OPEN:
        open_posted(shade, (size_t)event->argument);
        break;
    case OPEN_DEBUGGING:
        open_debugging(shade);
        break;
    case OPEN_SETTINGS:
        launch(shade, SETTINGS_PACKAGE);
        break;
    case CLEAR_ALL:
        notifications_clear(&shade->handset->notifications);
        notification_shade_set(shade, SHADE_CLOSED);
        break;
    case COLLAPSE:
        notification_shade_set(shade, SHADE_CLOSED);
        break;
    case SET_BRIGHTNESS:
        break;
    }
}

static bool is_key(const struct phone_app_event *event, int key)
{
    return event->kind == APP_KEY && event->key == key;
}

/* While it is open, the app below gets only system events. */
static bool handle_open(struct notification_shade *shade,
                        const struct phone_app_event *event)
{
    bool leaves = is_key(event, KEY_HOME) || is_key(event, KEY_APP_SWITCH);
    bool passes = leaves || event->kind == APP_TIMER ||
                  event->kind == APP_INTENT || is_key(event, KEY_POWER) ||
                  is_key(event, KEY_SLEEP) || is_key(event, KEY_WAKEUP);

    if (leaves || event->kind == APP_OUTSIDE || is_key(event, KEY_BACK) ||
        is_key(event, KEY_ESCAPE))
        notification_shade_set(shade, SHADE_CLOSED);
    else if (is_key(event, KEY_NOTIFICATION))
        notification_shade_set(shade, SHADE_SETTINGS);
    else if (event->kind == APP_CHANGE && event->action == SET_BRIGHTNESS)
        set_brightness(shade, event->value);
    else if (event->kind == APP_CLICK && is_ours(event->action))
        click(shade, event);
    if (passes)
        (void)!shade->below->ops->handle(shade->below, event);
    return true;
}

static bool shade_handle(struct phone_app *app,
                         const struct phone_app_event *event)
{
    struct notification_shade *shade = (struct notification_shade *)app;

    if (notification_shade_state(shade) != SHADE_CLOSED)
        return handle_open(shade, event);
    if (is_key(event, KEY_NOTIFICATION) &&
        !task_stack_is_asleep(shade->task_stack)) {
        notification_shade_set(shade, SHADE_NOTIFICATIONS);
        return true;
    }
    return shade->below->ops->handle(shade->below, event);
}

static bool shade_changed(struct phone_app *app)
{
    struct notification_shade *shade = (struct notification_shade *)app;
    const struct phone_app_ops *below = shade->below->ops;
    struct handset *handset = shade->handset;
    bool changed = below->changed && below->changed(shade->below);

    pthread_mutex_lock(&shade->lock);
    changed = changed || shade->changed;
    if (shade->state != SHADE_CLOSED)
        changed = changed ||
                  shade->settings != settings_changes(&handset->settings) ||
                  shade->notifications !=
                      notifications_changes(&handset->notifications);
    shade->changed = false;
    pthread_mutex_unlock(&shade->lock);
    return changed;
}

static void shade_calls(struct phone_app *app, int action, int64_t argument,
                        struct buf *out)
{
    struct notification_shade *shade = (struct notification_shade *)app;
    struct phone_app *below = shade->below;

    if (action == TOGGLE && (size_t)argument < ARRAY_LEN(tiles))
        buf_printf(out, "settings.%s %s", tiles[argument].name,
                   is_on(shade, &tiles[argument]) ? "off" : "on");
    else if (!is_ours(action) && below->ops->calls)
        below->ops->calls(below, action, argument, out);
}

/* ---- snapshots ---- */

static void shade_save(struct phone_app *app, struct buf *out)
{
    struct notification_shade *shade = (struct notification_shade *)app;

    saved_state_put_i64(out, notification_shade_state(shade));
    shade->below->ops->save(shade->below, out);
}

static void shade_load(struct phone_app *app, struct saved_state *in)
{
    struct notification_shade *shade = (struct notification_shade *)app;
    int64_t state = saved_state_i64(in, SHADE_CLOSED, SHADE_SETTINGS);

    shade->below->ops->load(shade->below, in);
    if (!in->trial && !in->broken)
        notification_shade_set(shade, (enum notification_shade_state)state);
}

/* ---- opening and closing ---- */

static void shade_close(struct phone_app *app)
{
    struct notification_shade *shade = (struct notification_shade *)app;

    shade->below->ops->close(shade->below);
    pthread_mutex_destroy(&shade->lock);
    free(shade);
}

struct phone_app *notification_shade_app(struct notification_shade *shade)
{
    return &shade->app;
}

struct notification_shade *notification_shade_open(
    struct task_stack *task_stack, struct handset *handset,
    struct truth_log *truth)
{
    static const struct phone_app_ops ops = {
        .build = shade_build,
        .handle = shade_handle,
        .save = shade_save,
        .load = shade_load,
        .close = shade_close,
        .changed = shade_changed,
        .calls = shade_calls,
    };
    struct notification_shade *shade = mem_new(1, sizeof(*shade));

    shade->app.ops = &ops;
    shade->below = task_stack_app(task_stack);
    shade->task_stack = task_stack;
    shade->handset = handset;
    shade->truth = truth;
    pthread_mutex_init(&shade->lock, NULL);
    return shade;
}
