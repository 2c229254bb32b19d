#include "tools/phone/screen/system_bars.h"

#include "tools/phone/screen/clock_text.h"
#include "tools/phone/widgets/widget_kinds.h"

#define PACKAGE "com.android.systemui"

/* ---- the battery ---- */

/* The outline of a battery, filled to argument percent. */
static void draw_battery(const struct widget *widget, struct canvas *canvas,
                         struct box box)
{
    int height = box_height(box);
    int width = height * 9 / 16;
    int left = box.left + (box_width(box) - width) / 2;
    struct box cap = {left + width / 4, box.top, left + width - width / 4,
                      box.top + height / 4};
    struct box body = {left, box.top + height / 9, left + width, box.bottom};
    struct box clip = canvas->clip;
    int level = (int)(box_height(body) * widget->argument / 100);
    float radius = (float)width / 6;
    uint32_t ink = widget->look.ink;

    canvas_clip(canvas, (struct box){box.left, box.top, box.right, body.top});
    canvas_round(canvas, cap, radius, ink);
    canvas->clip = clip;
    canvas_round(canvas, body, radius, color_fade(ink, 90));
    body.top = body.bottom - level;
    canvas_clip(canvas, body);
    body.top = box.top + height / 9;
    canvas_round(canvas, body, radius, ink);
    canvas->clip = clip;
}

static const struct widget_kind kind_battery = {
    .class = "android.widget.ImageView",
    .draw = draw_battery,
};

/* ---- the bars ---- */

static struct widget *add_sign(struct widget *row,
                               const struct widget_kind *kind, uint32_t ink)
{
    struct widget *sign = widget_new(row, kind);

    sign->layout.width = 17;
    sign->layout.height = 17;
    sign->look.ink = ink;
    return sign;
}

static void add_signs(struct widget *bar,
                      const struct phone_surroundings *around, uint32_t ink)
{
    struct widget *row = widget_new(bar, &kind_row);
    struct widget *battery;

    row->layout.gap = 4;
    row->layout.height = WIDGET_FILL;
    row->layout.down = WIDGET_CENTER;
    add_sign(row, &kind_icon, ink)->look.icon = &icon_wifi;
    add_sign(row, &kind_icon, ink)->look.icon = &icon_signal;
    battery = add_sign(row, &kind_battery, ink);
    battery->argument = around->battery;
    battery->layout.width = 12;
}

static void add_status_bar(struct widget *column,
                           const struct phone_surroundings *around,
                           uint32_t ink)
{
    struct widget *bar = widget_new(column, &kind_row);
    struct widget *time = widget_new(bar, &kind_text);
    char text[16];

    bar->layout.width = WIDGET_FILL;
    bar->layout.height = around->status_bar;
    bar->layout.padding = (struct widget_edges){24, 6, 22, 0};
    bar->layout.across = WIDGET_SPREAD;
    bar->layout.down = WIDGET_CENTER;
    clock_text_time(around->now, around->locale, text, sizeof(text));
    widget_set_id(time, "clock");
    widget_set_text(time, text);
    time->look.text_size = 14.5F;
    time->look.weight = FONT_MEDIUM;
    time->look.ink = ink;
    add_signs(bar, around, ink);
}

static void add_handle(struct widget *column,
                       const struct phone_surroundings *around, uint32_t ink)
{
    struct widget *bar = widget_new(column, &kind_stack);
    struct widget *handle = widget_new(bar, &kind_space);

    bar->layout.width = WIDGET_FILL;
    bar->layout.height = around->navigation;
    bar->layout.across = WIDGET_CENTER;
    bar->layout.down = WIDGET_CENTER;
    handle->layout.width = 108;
    handle->layout.height = 4;
    handle->look.radius = 2;
    handle->look.background = ink;
}

void system_bars_build(const struct phone_surroundings *around, uint32_t ink,
                       struct widget_tree *tree)
{
    struct widget *window = widget_window(tree, PACKAGE);
    struct widget *column = widget_new(window, &kind_column);

    window->flags |= WIDGET_PASSIVE;
    column->layout.width = WIDGET_FILL;
    column->layout.height = WIDGET_FILL;
    column->layout.down = WIDGET_SPREAD;
    add_status_bar(column, around, ink);
    add_handle(column, around, ink);
}
