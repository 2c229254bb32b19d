/* Kinds that display content, and the table of all kinds. */
#include "tools/phone/widgets/widget_kinds.h"

#include <string.h>

#include "tools/phone/widgets/widget_kinds_private.h"

const struct widget_kind kind_space = {
    .name = "space",
    .class = "android.view.View",
};

/* ---- text ---- */

bool text_is_there(const struct widget *widget)
{
    return widget->text && *widget->text;
}

static struct paragraph paragraph_of(const struct widget *widget, int width)
{
    const char *hint = widget->hint ? widget->hint : "";

    return (struct paragraph){
        .fonts = widget->tree->fonts,
        .font = widget_font(widget),
        .text = text_is_there(widget) ? widget->text : hint,
        .width = width,
        .lines_max = widget->look.lines,
    };
}

struct widget_size text_measure(struct widget *widget, struct widget_size room)
{
    struct paragraph paragraph = paragraph_of(widget, room.width);
    struct paragraph_size size = paragraph_measure(&paragraph);

    return (struct widget_size){size.width, size.height};
}

/* Vertically centered, as in a button. */
void text_draw(const struct widget *widget, struct canvas *canvas,
               struct box box)
{
    struct paragraph paragraph = paragraph_of(widget, box_width(box));
    struct paragraph_size size = paragraph_measure(&paragraph);

    box.top += (box_height(box) - size.height) / 2;
    paragraph_draw(&paragraph, canvas, box, widget->look.text_align,
                   widget->look.ink);
}

static void begin_text(struct widget *widget)
{
    widget->look.ink = widget->theme->on_surface;
    widget->look.text_size = 16;
}

const struct widget_kind kind_text = {
    .name = "text",
    .class = "android.widget.TextView",
    .begin = begin_text,
    .measure = text_measure,
    .draw = text_draw,
};

/* ---- icons and pictures ---- */

static struct font_place middle(struct box box, int size)
{
    return (struct font_place){box.left + (box_width(box) - size) / 2,
                               box.top + (box_height(box) - size) / 2};
}

static void draw_icon(const struct widget *widget, struct canvas *canvas,
                      struct box box)
{
    int size =
        box_width(box) < box_height(box) ? box_width(box) : box_height(box);

    if (widget->look.icon && size > 0)
        icon_draw(widget->look.icon, widget->tree->fonts, canvas,
                  middle(box, size), size, widget->look.ink);
}

static void begin_icon(struct widget *widget)
{
    widget->look.ink = widget->theme->on_surface_variant;
    widget->layout.width = 24;
    widget->layout.height = 24;
}

const struct widget_kind kind_icon = {
    .name = "icon",
    .class = "android.widget.ImageView",
    .begin = begin_icon,
    .draw = draw_icon,
};

static void draw_picture(const struct widget *widget, struct canvas *canvas,
                         struct box box)
{
    if (widget->look.picture && !box_is_empty(box))
        canvas_picture(canvas, box, widget->look.picture);
}

const struct widget_kind kind_picture = {
    .name = "picture",
    .class = "android.widget.ImageView",
    .draw = draw_picture,
};

static void draw_art(const struct widget *widget, struct canvas *canvas,
                     struct box box)
{
    if (widget->look.artwork)
        artwork_draw(widget->look.artwork, (uint32_t)widget->look.seed,
                     widget->tree->fonts, canvas, box,
                     widget->look.radius * widget->tree->scale);
}

static void begin_art(struct widget *widget)
{
    widget->layout.width = WIDGET_FILL;
    widget->layout.height = 160;
    widget->look.radius = 16;
    widget->look.ink = widget->theme->on_surface;
}

const struct widget_kind kind_art = {
    .name = "art",
    .class = "android.widget.ImageView",
    .begin = begin_art,
    .draw = draw_art,
};

/* ---- apps ---- */

#define APP_ICON 60 /* dp */
#define APP_GAP 8

static struct widget_size measure_app(struct widget *widget,
                                      struct widget_size room)
{
    struct widget_size size = {widget_px(widget->tree, APP_ICON),
                               widget_px(widget->tree, APP_ICON)};

    if (text_is_there(widget) && widget->look.text_size > 0) {
        struct widget_size text = text_measure(widget, room);

        size.height += widget_px(widget->tree, APP_GAP) + text.height;
        if (text.width > size.width)
            size.width = text.width;
    }
    return size;
}

static void draw_app(const struct widget *widget, struct canvas *canvas,
                     struct box box)
{
    int size = widget_px(widget->tree, APP_ICON);
    struct font_place corner = {box.left + (box_width(box) - size) / 2,
                                box.top};
    int shrunk = widget->flags & WIDGET_PRESSED ? size / 16 : 0;

    corner.x += shrunk;
    corner.y += shrunk;
    if (widget->look.icon)
        icon_draw(widget->look.icon, widget->tree->fonts, canvas, corner,
                  size - 2 * shrunk, widget->look.ink);
    box.top += size + widget_px(widget->tree, APP_GAP);
    if (text_is_there(widget) && widget->look.text_size > 0) {
        struct paragraph label = paragraph_of(widget, box_width(box));

        paragraph_draw(&label, canvas, box, PARAGRAPH_CENTER, widget->look.ink);
    }
}

const struct widget_kind kind_app = {
    .name = "app",
    .class = "android.widget.TextView",
    .measure = measure_app,
    .draw = draw_app,
};

/* ---- helpers to create widgets ---- */

struct widget *widget_kinds_text(struct widget *parent, const char *id,
                                 const char *text, float size, uint32_t ink)
{
    struct widget *widget = widget_new(parent, &kind_text);

    if (id)
        widget_set_id(widget, id);
    widget_set_text(widget, text);
    widget->look.text_size = size;
    widget->look.ink = ink;
    return widget;
}

struct widget *widget_kinds_icon(struct widget *parent, const char *id,
                                 const struct phone_icon *icon, float size,
                                 uint32_t ink)
{
    struct widget *widget = widget_new(parent, &kind_icon);

    if (id)
        widget_set_id(widget, id);
    widget->look.icon = icon;
    widget->look.ink = ink;
    widget->layout.width = size;
    widget->layout.height = size;
    return widget;
}

/* ---- the table ---- */

static const struct widget_kind *const kinds[] = {
    &kind_column, &kind_row,      &kind_stack,       &kind_grid,
    &kind_flow,   &kind_list,     &kind_scroll,      &kind_carousel,
    &kind_page,   &kind_app_bar,  &kind_title,       &kind_search_bar,
    &kind_item,   &kind_card,     &kind_divider,     &kind_tabs,
    &kind_tab,    &kind_nav_bar,  &kind_nav_item,    &kind_snackbar,
    &kind_dialog, &kind_sheet,    &kind_web,         &kind_space,
    &kind_text,   &kind_icon,     &kind_picture,     &kind_art,
    &kind_badge,  &kind_button,   &kind_icon_button, &kind_fab,
    &kind_chip,   &kind_switch,   &kind_checkbox,    &kind_radio,
    &kind_slider, &kind_progress, &kind_spinner,     &kind_rating,
    &kind_field,  &kind_area,
};

const struct widget_kind *widget_kinds_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (!strcmp(kinds[i]->name, name))
            return kinds[i];
    }
    return NULL;
}
