/*
 * The stack as the app of the screen: it passes calls to the app in front, or
 * shows a dark screen.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/keycode.h"
#include "tools/phone/activities/task_stack_private.h"

#define VOLUME "volume_music"
#define VOLUME_MAX 15
#define VOLUME_TEXT_MAX 64

static struct phone_app *front_app(struct task_stack *task_stack)
{
    return task_stack->overview ? task_stack->overview
                                : task_stack_front_task(task_stack)->app;
}

static void build_darkness(struct widget_tree *tree)
{
    struct widget *window = widget_window(tree, "com.android.systemui");

    window->look.background = 0xff000000;
}

void task_stack_build(struct phone_app *app,
                      const struct phone_surroundings *around,
                      struct widget_tree *tree)
{
    struct task_stack *task_stack = (struct task_stack *)app;
    struct phone_app *shown;

    task_stack_enter(task_stack);
    shown = front_app(task_stack);
    tree->run = (uint32_t)task_stack_front_task(task_stack)->facts.id;
    if (task_stack->asleep)
        build_darkness(tree);
    else
        shown->ops->build(shown, around, tree);
    task_stack_leave(task_stack);
}

/* Handle a BACK that the app in front has ignored: leave the app. */
static void go_back(struct task_stack *task_stack)
{
    if (task_stack->overview)
        task_stack_close_overview(task_stack);
    else if (!task_stack_front_task(task_stack)->facts.home)
        task_stack_move_task(task_stack, task_stack_front_task(task_stack), 0);
}

/* The app of a timer may be in the background. */
static bool fire(struct task_stack *task_stack,
                 const struct phone_app_event *event)
{
    struct phone_task *task = task_stack_find_package(task_stack, event->text);

    return task && task->app->ops->handle(task->app, event);
}

/*
 * Handles keys about sleeping, and all keys while asleep. True: it was handled.
 */
static bool handle_power(struct task_stack *task_stack, int key)
{
    bool asleep = task_stack->asleep;

    if (key == KEY_POWER)
        task_stack->asleep = !asleep;
    else if (key == KEY_SLEEP)
        task_stack->asleep = true;
    else if (key == KEY_WAKEUP)
        task_stack->asleep = false;
    if (task_stack->asleep != asleep) {
        task_stack->changed = true;
        task_stack_log(task_stack, "PowerManagerService",
                       asleep ? "Waking up from Asleep (uid=1000, "
                                "reason=WAKE_REASON_POWER_BUTTON, "
                                "details=android.policy:POWER)..."
                              : "Going to sleep due to power_button "
                                "(uid 1000, screenOffReason=power)...");
    }
    return asleep || key == KEY_POWER || key == KEY_SLEEP || key == KEY_WAKEUP;
}

static long clamp_volume(long volume)
{
    return volume < 0 ? 0 : volume > VOLUME_MAX ? VOLUME_MAX : volume;
}

/* The buttons at the side of the phone change the volume of media. */
static void change_volume(struct task_stack *task_stack, int by)
{
    struct phone_settings *settings = task_stack->options.settings;
    struct buf value = BUF_INIT(VOLUME_TEXT_MAX);
    char text[VOLUME_TEXT_MAX];

    if (settings_get(settings, SETTINGS_SYSTEM, VOLUME, &value)) {
        const long volume = clamp_volume(strtol(buf_cstr(&value), NULL, 10));

        snprintf(text, sizeof(text), "%ld", clamp_volume(volume + by));
        (void)!settings_put(settings, SETTINGS_SYSTEM, VOLUME, text);
    }
    buf_release(&value);
}

static bool handle_awake(struct task_stack *task_stack,
                         const struct phone_app_event *event)
{
    int key = event->kind == APP_KEY ? event->key : 0;
    struct phone_app *shown = front_app(task_stack);
    bool used = false;

    if (key == KEY_HOME)
        task_stack_home(task_stack);
    else if (key == KEY_APP_SWITCH && !task_stack->overview)
        task_stack_overview(task_stack);
    else if (key == KEY_APP_SWITCH)
        task_stack_close_overview(task_stack);
    else if (key == KEY_VOLUME_UP || key == KEY_VOLUME_DOWN)
        change_volume(task_stack, key == KEY_VOLUME_UP ? 1 : -1);
    else
        used = shown->ops->handle(shown, event);
    if (!used && (key == KEY_BACK || key == KEY_ESCAPE))
        go_back(task_stack);
    return used;
}

bool task_stack_handle(struct phone_app *app,
                       const struct phone_app_event *event)
{
    struct task_stack *task_stack = (struct task_stack *)app;
    int key = event->kind == APP_KEY ? event->key : 0;
    bool used = false;

    task_stack_enter(task_stack);
    if (event->kind == APP_TIMER)
        used = fire(task_stack, event);
    else if (!handle_power(task_stack, key))
        used = handle_awake(task_stack, event);
    task_stack_run_requests(task_stack);
    used = used || task_stack->changed;
    task_stack_leave(task_stack);
    return used;
}

bool task_stack_changed(struct phone_app *app)
{
    struct task_stack *task_stack = (struct task_stack *)app;
    struct phone_app *shown;
    bool was;

    task_stack_enter(task_stack);
    shown = front_app(task_stack);
    was = task_stack->changed;
    if (shown->ops->changed && shown->ops->changed(shown))
        was = true;
    task_stack->changed = false;
    task_stack_leave(task_stack);
    return was;
}

void task_stack_calls(struct phone_app *app, int action, int64_t argument,
                      struct buf *out)
{
    struct task_stack *task_stack = (struct task_stack *)app;
    struct phone_app *shown;

    task_stack_enter(task_stack);
    shown = front_app(task_stack);
    if (shown->ops->calls)
        shown->ops->calls(shown, action, argument, out);
    task_stack_leave(task_stack);
}
