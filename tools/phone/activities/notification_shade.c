#include "tools/phone/activities/notification_shade.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/keycode.h"
#include "base/mem.h"
#include "tools/phone/activities/notification_shade_private.h"

#define SETTINGS_PACKAGE "com.android.settings"
#define SYSTEM_UI_UID 10090

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

static void shade_build(struct phone_app *app,
                        const struct phone_surroundings *around,
                        struct widget_tree *tree)
{
    struct notification_shade *shade = (struct notification_shade *)app;

    shade->below->ops->build(shade->below, around, tree);
    shade->settings = settings_changes(&shade->handset->settings);
    notification_shade_build(shade, around, tree);
}

/* ---- input ---- */

/*
 * The ground truth records the same event as Settings, as it is the same
 * setting.
 */
static void toggle(struct notification_shade *shade,
                   const struct shade_tile *tile)
{
    bool on = !shade_tile_is_on(shade, tile);

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
    return action >= SHADE_TOGGLE && action <= SHADE_COLLAPSE;
}

static void click(struct notification_shade *shade,
                  const struct phone_app_event *event)
{
    switch ((enum shade_action)event->action) {
    case SHADE_TOGGLE:
        if ((size_t)event->argument < SHADE_TILES)
            toggle(shade, &shade_tiles[event->argument]);
        break;
    case SHADE_OPEN:
        open_posted(shade, (size_t)event->argument);
        break;
    case SHADE_OPEN_DEBUGGING:
        open_debugging(shade);
        break;
    case SHADE_OPEN_SETTINGS:
        launch(shade, SETTINGS_PACKAGE);
        break;
    case SHADE_CLEAR_ALL:
        notifications_clear(&shade->handset->notifications);
        notification_shade_set(shade, SHADE_CLOSED);
        break;
    case SHADE_COLLAPSE:
        notification_shade_set(shade, SHADE_CLOSED);
        break;
    case SHADE_SET_BRIGHTNESS:
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
    else if (event->kind == APP_CHANGE && event->action == SHADE_SET_BRIGHTNESS)
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

    if (action == SHADE_TOGGLE && (size_t)argument < SHADE_TILES)
        buf_printf(out, "settings.%s %s", shade_tiles[argument].name,
                   shade_tile_is_on(shade, &shade_tiles[argument]) ? "off"
                                                                   : "on");
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
