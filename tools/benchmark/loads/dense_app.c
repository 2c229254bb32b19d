#include "tools/benchmark/loads/dense_app.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tools/phone/widgets/widget_kinds.h"

#define CARDS 51
#define COLUMNS 3

static void add_text(struct widget *card, const char *text, float size,
                     uint32_t ink)
{
    struct widget *widget = widget_new(card, &kind_text);

    widget_set_text(widget, text);
    widget->look.text_size = size;
    widget->look.ink = ink;
    widget->look.lines = 1;
}

static void add_card(struct widget *grid, const struct phone_theme *theme,
                     int number)
{
    struct widget *card = widget_new(grid, &kind_column);
    char text[32];

    card->layout = (struct widget_layout){
        .width = WIDGET_FILL, .height = 44, .padding = {8, 4, 8, 4}};
    card->look.background = theme->surface_container_high;
    card->look.radius = 8;
    widget_set_id(card, "card");
    widget_set_action(card, 1, number);
    snprintf(text, sizeof(text), "Card number %d", number);
    add_text(card, text, 14, theme->on_surface);
    snprintf(text, sizeof(text), "%d new messages", number * 7 % 100);
    add_text(card, text, 11, theme->on_surface_variant);
}

static void build(struct phone_app *app,
                  const struct phone_surroundings *around,
                  struct widget_tree *tree)
{
    struct widget *window = widget_window(tree, "bench.dense");
    struct widget *grid = widget_new(window, &kind_grid);

    (void)app;
    window->look.background = around->theme->surface;
    grid->layout = (struct widget_layout){
        .width = WIDGET_FILL,
        .gap = 3,
        .columns = COLUMNS,
        .padding = {8, around->status_bar, 8, around->navigation}};
    for (int i = 0; i < CARDS; i++)
        add_card(grid, around->theme, i);
}

static bool handle(struct phone_app *app, const struct phone_app_event *event)
{
    (void)app, (void)event;
    return false;
}

static void close_app(struct phone_app *app)
{
    free(app);
}

struct phone_app *dense_app_open(void)
{
    static const struct phone_app_ops ops = {
        .build = build, .handle = handle, .close = close_app};
    struct phone_app *app = mem_new(1, sizeof(*app));

    app->ops = &ops;
    return app;
}
