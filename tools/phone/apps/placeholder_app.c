#include "tools/phone/apps/placeholder_app.h"

#include "tools/phone/apps/builtin_app.h"
#include "tools/phone/widgets/widget_kinds.h"

enum placeholder_action {
    CLOSE = 1,
};

enum placeholder_word {
    WORD_INFO,
    WORD_VERSION,
    WORD_PACKAGE,
    WORD_CLOSE,
};

static const char *const words[][2] = {
    [WORD_INFO] = {"App info", "应用信息"},
    [WORD_VERSION] = {"Version", "版本"},
    [WORD_PACKAGE] = {"Package", "应用包名"},
    [WORD_CLOSE] = {"Close", "关闭"},
};

struct plain_app {
    struct builtin_app base;
    struct phone_package package;
};

/* State of building the screen, from top to bottom. */
struct placeholder_build {
    const struct phone_package *package;
    const struct phone_surroundings *around;
    const struct phone_theme *theme;
};

static const char *say(const struct placeholder_build *build,
                       enum placeholder_word word)
{
    return words[word][build->around->locale];
}

static void add_title(const struct placeholder_build *build,
                      struct widget *page)
{
    struct widget *row = widget_new(page, &kind_row);
    struct widget *names;

    row->layout.width = WIDGET_FILL;
    row->layout.gap = 16;
    row->layout.down = WIDGET_CENTER;
    widget_kinds_icon(row, "app_icon", package_icon(build->package), 56, 0);
    names = widget_new(row, &kind_column);
    names->layout.weight = 1;
    widget_kinds_text(names, "app_name",
                      package_label(build->package, build->around->locale), 24,
                      build->theme->on_surface);
    widget_kinds_text(names, NULL, say(build, WORD_INFO), 13,
                      build->theme->on_surface_variant);
}

static void add_fact(const struct placeholder_build *build, struct widget *page,
                     enum placeholder_word word, const char *value)
{
    struct widget *row = widget_new(page, &kind_column);

    row->layout.width = WIDGET_FILL;
    row->layout.gap = 2;
    widget_kinds_text(row, NULL, say(build, word), 13,
                      build->theme->on_surface_variant);
    widget_kinds_text(row, NULL, value, 16, build->theme->on_surface);
}

static void add_close_button(const struct placeholder_build *build,
                             struct widget *page)
{
    struct widget *button = widget_new(page, &kind_button);

    widget_set_id(button, "close");
    widget_set_text(button, say(build, WORD_CLOSE));
    widget_set_action(button, CLOSE, 0);
}

static void placeholder_app_build(struct phone_app *app,
                                  const struct phone_surroundings *around,
                                  struct widget_tree *tree)
{
    const struct plain_app *plain = (const struct plain_app *)app;
    const struct placeholder_build build = {&plain->package, around,
                                            around->theme};
    struct widget *window = widget_window(tree, plain->package.name);
    struct widget *page = widget_new(window, &kind_column);

    page->layout = (struct widget_layout){
        .width = WIDGET_FILL,
        .height = WIDGET_FILL,
        .gap = 18,
        .padding = {24, around->status_bar + 24, 24, around->navigation}};
    page->look.background = around->theme->surface;
    widget_set_id(page, "app_info");
    add_title(&build, page);
    add_fact(&build, page, WORD_VERSION, plain->package.version);
    add_fact(&build, page, WORD_PACKAGE, plain->package.name);
    add_close_button(&build, page);
}

static bool placeholder_app_handle(struct phone_app *app,
                                   const struct phone_app_event *event)
{
    if (event->kind != APP_CLICK || event->action != CLOSE)
        return false;
    task_stack_finish(((struct builtin_app *)app)->task_stack, app);
    return true;
}

struct phone_app *placeholder_app_open(const struct task_stack_opening *opening,
                                       void *context)
{
    static const struct phone_app_ops ops = {
        .build = placeholder_app_build,
        .handle = placeholder_app_handle,
        .close = builtin_app_close,
    };
    struct plain_app *plain = builtin_app_new(sizeof(*plain), &ops, opening);

    (void)context;
    plain->package = *opening->package;
    return &plain->base.app;
}
