/* Toward the screen the stage is an app: the one in front, or darkness. */
#include "tools/phone/keycode.h"
#include "tools/phone/stage_private.h"

static struct app *front_app(struct stage *stage)
{
    return stage->overview ? stage->overview : stage_front_task(stage)->app;
}

static void build_darkness(struct widget_tree *tree)
{
    struct widget *window = widget_window(tree, "com.android.systemui");

    window->look.background = 0xff000000;
}

void stage_build(struct app *app, const struct surroundings *around,
                 struct widget_tree *tree)
{
    struct stage *stage = (struct stage *)app;
    struct app *shown;

    stage_enter(stage);
    shown = front_app(stage);
    tree->run = (uint32_t)stage_front_task(stage)->facts.id;
    if (stage->asleep)
        build_darkness(tree);
    else
        shown->ops->build(shown, around, tree);
    stage_leave(stage);
}

/* What the app in front has no use for: out of it. */
static void go_back(struct stage *stage)
{
    if (stage->overview)
        stage_close_overview(stage);
    else if (!stage_front_task(stage)->facts.home)
        stage_move_task(stage, stage_front_task(stage), 0);
}

/* Whose timer it is need not be in front. */
static bool fire(struct stage *stage, const struct app_event *event)
{
    struct task *task = stage_find_package(stage, event->text);

    return task && task->app->ops->handle(task->app, event);
}

/* True for what has to do with sleep. */
static bool handle_power(struct stage *stage, int key)
{
    bool asleep = stage->asleep;

    if (key == KEY_POWER)
        stage->asleep = !asleep;
    else if (key == KEY_SLEEP)
        stage->asleep = true;
    else if (key == KEY_WAKEUP)
        stage->asleep = false;
    if (stage->asleep != asleep) {
        stage->changed = true;
        stage_log(stage, "PowerManagerService",
                  asleep ? "Waking up from Asleep (uid=1000, "
                           "reason=WAKE_REASON_POWER_BUTTON, "
                           "details=android.policy:POWER)..."
                         : "Going to sleep due to power_button "
                           "(uid 1000, screenOffReason=power)...");
    }
    return asleep || key == KEY_POWER || key == KEY_SLEEP || key == KEY_WAKEUP;
}

static bool handle_awake(struct stage *stage, const struct app_event *event)
{
    int key = event->kind == APP_KEY ? event->key : 0;
    struct app *shown = front_app(stage);
    bool used = false;

    if (key == KEY_HOME)
        stage_home(stage);
    else if (key == KEY_APP_SWITCH && !stage->overview)
        stage_overview(stage);
    else if (key == KEY_APP_SWITCH)
        stage_close_overview(stage);
    else
        used = shown->ops->handle(shown, event);
    if (!used && (key == KEY_BACK || key == KEY_ESCAPE))
        go_back(stage);
    return used;
}

bool stage_handle(struct app *app, const struct app_event *event)
{
    struct stage *stage = (struct stage *)app;
    int key = event->kind == APP_KEY ? event->key : 0;
    bool used = false;

    stage_enter(stage);
    if (event->kind == APP_TIMER)
        used = fire(stage, event);
    else if (!handle_power(stage, key))
        used = handle_awake(stage, event);
    used = used || stage->changed;
    stage_leave(stage);
    return used;
}

bool stage_changed(struct app *app)
{
    struct stage *stage = (struct stage *)app;
    struct app *shown;
    bool was;

    stage_enter(stage);
    shown = front_app(stage);
    was = stage->changed;
    if (shown->ops->changed && shown->ops->changed(shown))
        was = true;
    stage->changed = false;
    stage_leave(stage);
    return was;
}

void stage_calls(struct app *app, int action, int64_t argument, struct buf *out)
{
    struct stage *stage = (struct stage *)app;
    struct app *shown;

    stage_enter(stage);
    shown = front_app(stage);
    if (shown->ops->calls)
        shown->ops->calls(shown, action, argument, out);
    stage_leave(stage);
}
