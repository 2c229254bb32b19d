#include "tools/phone/apps/recent_apps.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tools/phone/apps/builtin_app.h"
#include "tools/phone/apps/launcher.h"
#include "tools/phone/widgets/widget_kinds.h"

/* Number of cards that fit. */
#define CARDS_MAX 6U

enum recent_apps_action {
    OPEN = 1, /* plus the task's id */
    DISMISS,
    CLEAR_ALL,
};

enum recent_apps_word {
    WORD_EMPTY,
    WORD_DISMISS,
    WORD_CLEAR_ALL,
};

static const char *const words[][2] = {
    [WORD_EMPTY] = {"No recent items", "近期没有任何内容"},
    [WORD_DISMISS] = {"Dismiss", "关闭"},
    [WORD_CLEAR_ALL] = {"Clear all", "全部清除"},
};

static struct task_stack *task_stack_of(const struct phone_app *app)
{
    return ((const struct builtin_app *)app)->task_stack;
}

struct recent_apps_build {
    const struct phone_surroundings *around;
    struct task_stack *task_stack;
};

static const char *say(const struct recent_apps_build *build,
                       enum recent_apps_word word)
{
    return words[word][build->around->locale];
}

/* ---- cards ---- */

static void add_card(const struct recent_apps_build *build,
                     struct widget *column, const struct task_info *task,
                     const struct phone_package *package)
{
    const struct phone_theme *theme = build->around->theme;
    const char *label = package_label(package, build->around->locale);
    struct widget *card = widget_new(column, &kind_row);
    struct widget *title;
    struct widget *cross;

    card->layout = (struct widget_layout){.width = WIDGET_FILL,
                                          .gap = 16,
                                          .padding = {20, 18, 12, 18},
                                          .down = WIDGET_CENTER};
    card->look.background = theme->surface_container_high;
    card->look.radius = 24;
    widget_set_id(card, "task");
    widget_set_description(card, label);
    widget_set_action(card, OPEN, task->id);
    widget_kinds_icon(card, "icon", package_icon(package), 40, 0);
    title = widget_new(card, &kind_text);
    title->layout.weight = 1;
    title->look.text_size = 18;
    title->look.ink = theme->on_surface;
    widget_set_id(title, "title");
    widget_set_text(title, label);
    cross = widget_kinds_icon(card, NULL, &icon_close, 40,
                              theme->on_surface_variant);
    widget_set_id(cross, "dismiss_task");
    widget_set_description(cross, say(build, WORD_DISMISS));
    widget_set_action(cross, DISMISS, task->id);
}

static size_t add_cards(const struct recent_apps_build *build,
                        struct widget *column)
{
    struct task_info tasks[TASK_STACK_TASKS_MAX];
    size_t count =
        task_stack_tasks(build->task_stack, tasks, TASK_STACK_TASKS_MAX);
    struct phone_package *package = mem_new(1, sizeof(*package));
    size_t cards = 0;

    for (size_t i = 0; i < count && cards < CARDS_MAX; i++) {
        if (tasks[i].home ||
            !packages_find(task_stack_packages(build->task_stack),
                           tasks[i].component.package, package))
            continue;
        add_card(build, column, &tasks[i], package);
        cards++;
    }
    free(package);
    return cards;
}

static void add_empty(const struct recent_apps_build *build,
                      struct widget *column)
{
    struct widget *text = widget_new(column, &kind_text);

    text->look.text_size = 18;
    text->look.ink = build->around->theme->on_surface_variant;
    widget_set_text(text, say(build, WORD_EMPTY));
}

static void overview_build(struct phone_app *app,
                           const struct phone_surroundings *around,
                           struct widget_tree *tree)
{
    const struct recent_apps_build build = {around, task_stack_of(app)};
    struct widget *window = widget_window(tree, LAUNCHER_PACKAGE);
    struct widget *column = widget_new(window, &kind_column);

    column->layout = (struct widget_layout){
        .width = WIDGET_FILL,
        .height = WIDGET_FILL,
        .gap = 14,
        .across = WIDGET_CENTER,
        .down = WIDGET_CENTER,
        .padding = {24, around->status_bar, 24, around->navigation}};
    column->look.background = around->theme->surface_container;
    widget_set_id(column, "overview_panel");
    if (add_cards(&build, column))
        widget_kinds_text_button(column, "clear_all",
                                 say(&build, WORD_CLEAR_ALL), CLEAR_ALL);
    else
        add_empty(&build, column);
}

/* ---- input ---- */

static void clear_all(struct task_stack *task_stack)
{
    struct task_info tasks[TASK_STACK_TASKS_MAX];
    size_t count = task_stack_tasks(task_stack, tasks, TASK_STACK_TASKS_MAX);

    for (size_t i = 0; i < count; i++)
        task_stack_dismiss(task_stack, tasks[i].id);
    task_stack_home(task_stack);
}

static bool overview_handle(struct phone_app *app,
                            const struct phone_app_event *event)
{
    struct task_stack *task_stack = task_stack_of(app);

    if (event->kind != APP_CLICK)
        return false;
    switch ((enum recent_apps_action)event->action) {
    case OPEN:
        return task_stack_resume(task_stack, (int)event->argument);
    case DISMISS:
        return task_stack_dismiss(task_stack, (int)event->argument);
    case CLEAR_ALL:
        clear_all(task_stack);
        return true;
    }
    return false;
}

static void put_package(struct task_stack *task_stack, int id, struct buf *out)
{
    struct task_info tasks[TASK_STACK_TASKS_MAX];
    size_t count = task_stack_tasks(task_stack, tasks, TASK_STACK_TASKS_MAX);

    for (size_t i = 0; i < count; i++) {
        if (tasks[i].id == id)
            buf_text(out, tasks[i].component.package);
    }
}

static void overview_calls(struct phone_app *app, int action, int64_t argument,
                           struct buf *out)
{
    static const char *const names[] = {[OPEN] = "overview.open ",
                                        [DISMISS] = "overview.dismiss ",
                                        [CLEAR_ALL] = "overview.clear"};

    if (action < OPEN || action > CLEAR_ALL)
        return;
    buf_text(out, names[action]);
    if (action != CLEAR_ALL)
        put_package(task_stack_of(app), (int)argument, out);
}

struct phone_app *recent_apps_open(const struct task_stack_opening *opening,
                                   void *context)
{
    static const struct phone_app_ops ops = {
        .build = overview_build,
        .handle = overview_handle,
        .close = builtin_app_close,
        .calls = overview_calls,
    };

    (void)context;
    return builtin_app_new(sizeof(struct builtin_app), &ops, opening);
}
