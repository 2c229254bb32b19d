/* The screen of the shade: tiles, notifications, brightness. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/activities/notification_shade_private.h"
#include "tools/phone/screen/clock_text.h"
#include "tools/phone/widgets/widget_kinds.h"

#define PACKAGE "com.android.systemui"

/* Notifications that are shown; the rest is only counted. */
#define SHOWN_MAX 4U

/* Layout of the notifications' page. */
#define FEW_TILES 4U

#define BRIGHTNESS_MAX 255

const struct shade_tile shade_tiles[SHADE_TILES] = {
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

bool shade_tile_is_on(struct notification_shade *shade,
                      const struct shade_tile *tile)
{
    struct buf value = BUF_INIT(STRING_MAP_VALUE_MAX);
    bool on = settings_get(&shade->handset->settings, tile->space,
                           tile->setting, &value) &&
              !strcmp(buf_cstr(&value), tile->on);

    buf_release(&value);
    return on;
}

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
    bool on = shade_tile_is_on(build->shade, tile);
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
    widget_set_action(row, SHADE_TOGGLE, tile - shade_tiles);
    widget_kinds_icon(row, "icon", icon_find(tile->icon), 22, ink);
    names = widget_new(row, &kind_column);
    names->layout.weight = 1;
    add_text(names, "tile_label", label, 14, ink)->look.weight = FONT_MEDIUM;
    add_text(names, "app_label", say(build, on ? WORD_ON : WORD_OFF), 13, ink);
}

static void add_tiles(const struct shade_build *build, struct widget *column)
{
    struct widget *grid = widget_new(column, &kind_grid);
    size_t count = build->state == SHADE_SETTINGS ? SHADE_TILES : FEW_TILES;

    grid->layout.width = WIDGET_FILL;
    grid->layout.columns = 2;
    grid->layout.gap = 8;
    widget_set_id(grid, "quick_settings_panel");
    for (size_t i = 0; i < count; i++)
        add_tile(build, grid, &shade_tiles[i]);
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
    widget_set_action(slider, SHADE_SET_BRIGHTNESS, 0);
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
        SHADE_OPEN,
        (int64_t)at,
    };

    add_card(build, column, &card);
    free(package);
}

static void add_notifications(const struct shade_build *build,
                              struct widget *column)
{
    struct phone_notification *list = mem_new(NOTIFICATIONS_MAX, sizeof(*list));
    const struct card debugging = {
        icon_find("usb"),           say(build, WORD_SYSTEM),
        say(build, WORD_DEBUGGING), say(build, WORD_DEBUGGING_TEXT),
        SHADE_OPEN_DEBUGGING,       0};
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
                                 say(build, WORD_CLEAR_ALL), SHADE_CLEAR_ALL);
    free(list);
}

/* A tap on the rest of the screen closes the shade. */
static void add_rest(struct widget *column)
{
    struct widget *rest = widget_new(column, &kind_space);

    rest->layout.width = WIDGET_FILL;
    rest->layout.weight = 1;
    widget_set_id(rest, "scrim_behind");
    widget_set_action(rest, SHADE_COLLAPSE, 0);
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
    widget_set_action(gear, SHADE_OPEN_SETTINGS, 0);
}

static void build_window(const struct shade_build *build,
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

void notification_shade_build(struct notification_shade *shade,
                              const struct phone_surroundings *around,
                              struct widget_tree *tree)
{
    const struct shade_build build = {shade, around, around->theme,
                                      notification_shade_state(shade)};

    if (build.state != SHADE_CLOSED)
        build_window(&build, tree);
}
