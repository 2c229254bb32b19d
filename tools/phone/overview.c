#include "tools/phone/overview.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tools/phone/builtin_app.h"
#include "tools/phone/kinds.h"
#include "tools/phone/launcher.h"

/* So many cards fit. */
#define CARDS_MAX 6U

enum action {
    OPEN = 1, /* with the task's id */
    DISMISS,
    CLEAR_ALL,
};

enum word {
    WORD_EMPTY,
    WORD_DISMISS,
    WORD_CLEAR_ALL,
};

static const char *const words[][2] = {
    [WORD_EMPTY] = {"No recent items", "近期没有任何内容"},
    [WORD_DISMISS] = {"Dismiss", "关闭"},
    [WORD_CLEAR_ALL] = {"Clear all", "全部清除"},
};

static struct stage *stage_of(const struct app *app)
{
    return ((const struct builtin_app *)app)->stage;
}

struct build {
    const struct surroundings *around;
    struct stage *stage;
};

static const char *say(const struct build *build, enum word word)
{
    return words[word][build->around->locale];
}

/* ---- cards ---- */

static void add_card(const struct build *build, struct widget *column,
                     const struct stage_task *task,
                     const struct package *package)
{
    const struct theme *theme = build->around->theme;
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
    if (package->icon)
        kinds_icon(card, "icon", package->icon, 40, 0);
    title = widget_new(card, &kind_text);
    title->layout.weight = 1;
    title->look.text_size = 18;
    title->look.ink = theme->on_surface;
    widget_set_id(title, "title");
    widget_set_text(title, label);
    cross = kinds_icon(card, NULL, &icon_close, 40, theme->on_surface_variant);
    widget_set_id(cross, "dismiss_task");
    widget_set_description(cross, say(build, WORD_DISMISS));
    widget_set_action(cross, DISMISS, task->id);
}

static size_t add_cards(const struct build *build, struct widget *column)
{
    struct stage_task tasks[STAGE_TASKS_MAX];
    size_t count = stage_tasks(build->stage, tasks, STAGE_TASKS_MAX);
    struct package *package = mem_new(1, sizeof(*package));
    size_t cards = 0;

    for (size_t i = 0; i < count && cards < CARDS_MAX; i++) {
        if (tasks[i].home ||
            !packages_find(stage_packages(build->stage),
                           tasks[i].component.package, package))
            continue;
        add_card(build, column, &tasks[i], package);
        cards++;
    }
    free(package);
    return cards;
}

static void add_empty(const struct build *build, struct widget *column)
{
    struct widget *text = widget_new(column, &kind_text);

    text->look.text_size = 18;
    text->look.ink = build->around->theme->on_surface_variant;
    widget_set_text(text, say(build, WORD_EMPTY));
}

static void overview_build(struct app *app, const struct surroundings *around,
                           struct widget_tree *tree)
{
    const struct build build = {around, stage_of(app)};
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
        kinds_text_button(column, "clear_all", say(&build, WORD_CLEAR_ALL),
                          CLEAR_ALL);
    else
        add_empty(&build, column);
}

/* ---- being used ---- */

static void clear_all(struct stage *stage)
{
    struct stage_task tasks[STAGE_TASKS_MAX];
    size_t count = stage_tasks(stage, tasks, STAGE_TASKS_MAX);

    for (size_t i = 0; i < count; i++)
        stage_dismiss(stage, tasks[i].id);
    stage_home(stage);
}

static bool overview_handle(struct app *app, const struct app_event *event)
{
    struct stage *stage = stage_of(app);

    if (event->kind != APP_CLICK)
        return false;
    switch ((enum action)event->action) {
    case OPEN:
        return stage_resume(stage, (int)event->argument);
    case DISMISS:
        return stage_dismiss(stage, (int)event->argument);
    case CLEAR_ALL:
        clear_all(stage);
        return true;
    }
    return false;
}

static void put_package(struct stage *stage, int id, struct buf *out)
{
    struct stage_task tasks[STAGE_TASKS_MAX];
    size_t count = stage_tasks(stage, tasks, STAGE_TASKS_MAX);

    for (size_t i = 0; i < count; i++) {
        if (tasks[i].id == id)
            buf_text(out, tasks[i].component.package);
    }
}

static void overview_calls(struct app *app, int action, int64_t argument,
                           struct buf *out)
{
    static const char *const names[] = {[OPEN] = "overview.open ",
                                        [DISMISS] = "overview.dismiss ",
                                        [CLEAR_ALL] = "overview.clear"};

    if (action < OPEN || action > CLEAR_ALL)
        return;
    buf_text(out, names[action]);
    if (action != CLEAR_ALL)
        put_package(stage_of(app), (int)argument, out);
}

struct app *overview_open(const struct stage_opening *opening, void *context)
{
    static const struct app_ops ops = {
        .build = overview_build,
        .handle = overview_handle,
        .close = builtin_app_close,
        .calls = overview_calls,
    };

    (void)context;
    return builtin_app_new(sizeof(struct builtin_app), &ops, opening);
}
