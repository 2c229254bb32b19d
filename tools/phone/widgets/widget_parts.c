/* Kinds for parts of a screen: pages, bars, items, windows. */
#include <string.h>

#include "tools/phone/widgets/widget_kinds.h"
#include "tools/phone/widgets/widget_kinds_private.h"
#include "tools/phone/widgets/widget_style.h"

static int px(const struct widget *widget, float dp)
{
    return widget_px(widget->tree, dp);
}

/* Move the text to a child that shows it. */
static struct widget *text_into(struct widget *child, char **text,
                                const char *style)
{
    child->text = *text;
    *text = NULL;
    widget_style_apply(child, style);
    return child;
}

static struct widget *icon_into(struct widget *child, struct widget *from)
{
    child->look.icon = from->look.icon;
    child->look.ink = from->look.ink;
    return child;
}

/* ---- pages ---- */

static void begin_page(struct widget *widget)
{
    widget->look.background = widget->theme->surface;
    widget->layout.width = WIDGET_FILL;
    widget->layout.height = WIDGET_FILL;
    widget->layout.padding.top = widget->tree->insets.top;
}

/* The bottom part extends below the system's handle. */
static void expand_page(struct widget *widget)
{
    float inset = widget->tree->insets.bottom;

    if (widget->last && widget->last->kind == &kind_nav_bar) {
        widget->last->layout.padding.bottom += inset;
        widget->last->layout.height += inset;
    } else {
        widget->layout.padding.bottom += inset;
    }
}

const struct widget_kind kind_page = {
    .name = "page",
    .class = "android.widget.LinearLayout",
    .begin = begin_page,
    .expand = expand_page,
    .measure = column_measure,
    .arrange = column_arrange,
};

static void begin_app_bar(struct widget *widget)
{
    widget->layout.width = WIDGET_FILL;
    widget->layout.height = 64;
    widget->layout.padding = (struct widget_edges){4, 0, 4, 0};
    widget->layout.down = WIDGET_CENTER;
}

const struct widget_kind kind_app_bar = {
    .name = "app_bar",
    .class = "android.view.ViewGroup",
    .begin = begin_app_bar,
    .measure = row_measure,
    .arrange = row_arrange,
};

/* The title gets the width that the bar's buttons leave. */
static void begin_title(struct widget *widget)
{
    widget_style_apply(widget, "title_large");
    widget->look.ink = widget->theme->on_surface;
    widget->look.lines = 1;
    widget->layout.weight = 1;
    widget->layout.padding = (struct widget_edges){12, 0, 12, 0};
}

const struct widget_kind kind_title = {
    .name = "title",
    .class = "android.widget.TextView",
    .begin = begin_title,
    .measure = text_measure,
    .draw = text_draw,
};

static void begin_search_bar(struct widget *widget)
{
    widget->look.background = widget->theme->surface_container_high;
    widget->look.radius = 28;
    widget->layout = (struct widget_layout){
        .width = WIDGET_FILL,
        .height = 56,
        .gap = 12,
        .padding = {16, 0, 8, 0},
        .down = WIDGET_CENTER,
    };
}

/* A field in it is drawn on the bar's background. */
static void expand_search_bar(struct widget *widget)
{
    for (struct widget *child = widget->first; child; child = child->next) {
        if (child->kind != &kind_field)
            continue;
        child->look.background = 0;
        child->layout.padding = (struct widget_edges){0, 0, 0, 0};
        child->layout.weight = 1;
    }
}

const struct widget_kind kind_search_bar = {
    .name = "search_bar",
    .class = "android.widget.LinearLayout",
    .begin = begin_search_bar,
    .expand = expand_search_bar,
    .measure = row_measure,
    .arrange = row_arrange,
};

/* ---- items and cards ---- */

static void begin_item(struct widget *widget)
{
    widget->look.ink = widget->theme->on_surface_variant;
    widget->layout = (struct widget_layout){
        .width = WIDGET_FILL,
        .gap = 16,
        .padding = {16, 0, 16, 0},
        .down = WIDGET_CENTER,
    };
}

static void add_item_texts(struct widget *widget)
{
    struct widget *column = widget_new_first(widget, &kind_column);

    column->layout.weight = 1;
    column->layout.gap = 2;
    if (widget->text)
        widget_set_id(text_into(widget_new(column, &kind_text), &widget->text,
                                "body_large"),
                      "android:id/title");
    if (widget->detail) {
        struct widget *detail = text_into(widget_new(column, &kind_text),
                                          &widget->detail, "body_medium");

        detail->look.ink = widget->theme->on_surface_variant;
        widget_set_id(detail, "android:id/summary");
    }
}

/* The icon, the text with its detail below, then the added children. */
static void expand_item(struct widget *widget)
{
    float padding = widget->detail ? 14 : 16;

    if (widget->layout.padding.top == 0 && widget->layout.height == 0)
        widget->layout.padding.top = widget->layout.padding.bottom = padding;
    if (widget->text || widget->detail)
        add_item_texts(widget);
    if (widget->look.icon)
        widget_set_id(icon_into(widget_new_first(widget, &kind_icon), widget),
                      "android:id/icon");
}

const struct widget_kind kind_item = {
    .name = "item",
    .class = "android.widget.LinearLayout",
    .begin = begin_item,
    .expand = expand_item,
    .measure = row_measure,
    .arrange = row_arrange,
};

static void begin_card(struct widget *widget)
{
    widget->look.background = widget->theme->surface_container;
    widget->look.ink = widget->theme->on_surface;
    widget->look.radius = 16;
    widget->layout.width = WIDGET_FILL;
}

const struct widget_kind kind_card = {
    .name = "card",
    .class = "android.widget.FrameLayout",
    .begin = begin_card,
    .measure = column_measure,
    .arrange = column_arrange,
};

static void begin_divider(struct widget *widget)
{
    widget->look.background = widget->theme->outline_variant;
    widget->layout.width = WIDGET_FILL;
    widget->layout.height = 1;
}

const struct widget_kind kind_divider = {
    .name = "divider",
    .class = "android.view.View",
    .begin = begin_divider,
};

/* ---- tabs ---- */

static void begin_tabs(struct widget *widget)
{
    widget->layout.width = WIDGET_FILL;
    widget->layout.height = 48;
}

static void draw_tabs(const struct widget *widget, struct canvas *canvas,
                      struct box box)
{
    box.top = box.bottom - px(widget, 1);
    canvas_fill(canvas, box, widget->theme->outline_variant);
}

const struct widget_kind kind_tabs = {
    .name = "tabs",
    .class = "android.widget.HorizontalScrollView",
    .begin = begin_tabs,
    .measure = row_measure,
    .arrange = row_arrange,
    .draw = draw_tabs,
};

static void begin_tab(struct widget *widget)
{
    widget->look.ink = widget->theme->on_surface_variant;
    widget->layout.weight = 1;
    widget->layout.height = WIDGET_FILL;
    widget->layout.gap = 8;
    widget->layout.across = WIDGET_CENTER;
    widget->layout.down = WIDGET_CENTER;
}

static void expand_tab(struct widget *widget)
{
    if (widget->flags & WIDGET_SELECTED)
        widget->look.ink = widget->theme->primary.base;
    if (widget->look.icon)
        icon_into(widget_new(widget, &kind_icon), widget);
    if (widget->text) {
        struct widget *label = text_into(widget_new(widget, &kind_text),
                                         &widget->text, "title_small");

        label->look.ink = widget->look.ink;
        label->look.lines = 1;
    }
}

/* A line below the selected tab, as wide as its content. */
static void draw_tab(const struct widget *widget, struct canvas *canvas,
                     struct box box)
{
    int height = px(widget, 3);
    struct box line = {
        widget->first ? widget->first->bounds.left : box.left,
        box.bottom - height,
        widget->last ? widget->last->bounds.right : box.right,
        box.bottom + height,
    };
    struct box clip = canvas_clip(canvas, widget->bounds);

    if (widget->flags & WIDGET_SELECTED)
        canvas_round(canvas, line, (float)height, widget->theme->primary.base);
    canvas->clip = clip;
}

const struct widget_kind kind_tab = {
    .name = "tab",
    .class = "android.widget.LinearLayout",
    .begin = begin_tab,
    .expand = expand_tab,
    .measure = row_measure,
    .arrange = row_arrange,
    .draw = draw_tab,
};

/* ---- the navigation bar at the bottom ---- */

#define PILL_WIDTH 64.0F
#define PILL_HEIGHT 32.0F

static void begin_nav_bar(struct widget *widget)
{
    widget->look.background = widget->theme->surface_container;
    widget->layout.width = WIDGET_FILL;
    widget->layout.height = 76;
}

const struct widget_kind kind_nav_bar = {
    .name = "nav_bar",
    .class = "android.widget.FrameLayout",
    .begin = begin_nav_bar,
    .measure = row_measure,
    .arrange = row_arrange,
};

static void begin_nav_item(struct widget *widget)
{
    widget->look.ink = widget->theme->on_surface_variant;
    widget->look.radius = 16;
    widget->layout = (struct widget_layout){
        .weight = 1,
        .height = WIDGET_FILL,
        .gap = 4,
        .padding = {0, 12, 0, 0},
        .across = WIDGET_CENTER,
    };
}

/* The icon in its indicator, the label below, as in Material's library. */
static void expand_nav_item(struct widget *widget)
{
    bool selected = widget->flags & WIDGET_SELECTED;
    struct widget *pill = widget_new(widget, &kind_stack);
    struct widget *icon = icon_into(widget_new(pill, &kind_icon), widget);

    if (widget->text && !widget->description)
        widget_set_description(widget, widget->text);
    pill->layout = (struct widget_layout){.width = PILL_WIDTH,
                                          .height = PILL_HEIGHT,
                                          .across = WIDGET_CENTER,
                                          .down = WIDGET_CENTER};
    pill->look.radius = PILL_HEIGHT / 2;
    widget_set_id(pill, "navigation_bar_item_icon_container");
    widget_set_id(icon, "navigation_bar_item_icon_view");
    if (selected) {
        pill->look.background = widget->theme->secondary.container;
        icon->look.ink = widget->theme->secondary.on_container;
    }
    if (widget->text) {
        struct widget *label = text_into(widget_new(widget, &kind_text),
                                         &widget->text, "label_medium");

        label->look.lines = 1;
        label->look.ink =
            selected ? widget->theme->on_surface : widget->look.ink;
        widget_set_id(label, "navigation_bar_item_large_label_view");
    }
}

const struct widget_kind kind_nav_item = {
    .name = "nav_item",
    .class = "android.widget.FrameLayout",
    .begin = begin_nav_item,
    .expand = expand_nav_item,
    .measure = column_measure,
    .arrange = column_arrange,
};

/* ---- dialogs, sheets and messages ---- */

#define SNACK_MARGIN 12.0F
#define HANDLE_WIDTH 32.0F
#define HANDLE_HEIGHT 4.0F
#define DIALOG_WIDTH_MAX 380.0F
#define DIALOG_MARGIN 28.0F

static void begin_snackbar(struct widget *widget)
{
    widget->look.ink = widget->theme->inverse_on_surface;
    widget->layout = (struct widget_layout){
        .width = WIDGET_FILL,
        .gap = 8,
        .padding = {SNACK_MARGIN + 16, SNACK_MARGIN + 4, SNACK_MARGIN + 8,
                    SNACK_MARGIN + 4},
        .down = WIDGET_CENTER,
    };
}

/* Its text gets the width that the button leaves. */
static void expand_snackbar(struct widget *widget)
{
    struct widget *button = widget->first;
    struct widget *text;

    if (button && button->kind == &kind_button) {
        button->look.background = 0;
        button->look.ink = widget->theme->inverse_primary;
        button->layout.padding = (struct widget_edges){12, 0, 12, 0};
    }
    if (!widget->text)
        return;
    text = text_into(widget_new_first(widget, &kind_text), &widget->text,
                     "body_medium");
    text->look.ink = widget->look.ink;
    text->layout.weight = 1;
    text->layout.padding = (struct widget_edges){0, 10, 0, 10};
    widget_set_id(text, "snackbar_text");
}

static void draw_snackbar(const struct widget *widget, struct canvas *canvas,
                          struct box box)
{
    struct box ground = box_inset(widget->bounds, px(widget, SNACK_MARGIN));

    (void)box;
    canvas_round(canvas, ground, 8 * widget->tree->scale,
                 widget->theme->inverse_surface);
}

const struct widget_kind kind_snackbar = {
    .name = "snackbar",
    .class = "android.widget.FrameLayout",
    .begin = begin_snackbar,
    .expand = expand_snackbar,
    .measure = row_measure,
    .arrange = row_arrange,
    .draw = draw_snackbar,
};

static void begin_dialog(struct widget *widget)
{
    widget->look.background = widget->theme->surface_container_high;
    widget->look.shadow = widget->theme->shadow;
    widget->look.radius = 28;
    widget->layout.width = WIDGET_FILL;
    widget->layout.gap = 16;
    widget->layout.padding = (struct widget_edges){24, 24, 24, 20};
}

const struct widget_kind kind_dialog = {
    .name = "dialog",
    .class = "android.widget.LinearLayout",
    .begin = begin_dialog,
    .measure = column_measure,
    .arrange = column_arrange,
};

static void begin_sheet(struct widget *widget)
{
    widget->look.radius = 28;
    widget->layout.width = WIDGET_FILL;
    widget->layout.padding =
        (struct widget_edges){0, 36, 0, widget->tree->insets.bottom + 8};
}

/* Rounded at the top only, with a handle to pull it down. */
static void draw_sheet(const struct widget *widget, struct canvas *canvas,
                       struct box box)
{
    float scale = widget->tree->scale;
    struct box ground = widget->bounds;
    struct box clip = canvas_clip(canvas, widget->bounds);
    int middle = (ground.left + ground.right) / 2;
    struct box handle = {
        middle - px(widget, HANDLE_WIDTH / 2),
        ground.top + px(widget, 16),
        middle + px(widget, HANDLE_WIDTH / 2),
        ground.top + px(widget, 16 + HANDLE_HEIGHT),
    };

    (void)box;
    ground.bottom += px(widget, widget->look.radius);
    canvas_round(canvas, ground, widget->look.radius * scale,
                 widget->theme->surface_container_low);
    canvas_round(canvas, handle, HANDLE_HEIGHT / 2 * scale,
                 widget->theme->outline);
    canvas->clip = clip;
}

const struct widget_kind kind_sheet = {
    .name = "sheet",
    .class = "android.widget.FrameLayout",
    .begin = begin_sheet,
    .measure = column_measure,
    .arrange = column_arrange,
    .draw = draw_sheet,
};

struct widget *widget_kinds_dialog(struct widget_tree *tree,
                                   const char *package)
{
    struct widget *window = widget_window(tree, package);
    float room = (float)tree->size.width / tree->scale - 2 * DIALOG_MARGIN;

    window->flags |= WIDGET_DIALOG;
    window->layout.width = room < DIALOG_WIDTH_MAX ? room : DIALOG_WIDTH_MAX;
    window->layout.height = WIDGET_WRAP;
    return widget_new(window, &kind_dialog);
}

struct widget *widget_kinds_sheet(struct widget_tree *tree, const char *package)
{
    struct widget *window = widget_window(tree, package);

    window->flags |= WIDGET_DIALOG | WIDGET_SHEET;
    window->layout.height = WIDGET_WRAP;
    return widget_new(window, &kind_sheet);
}

struct widget *widget_kinds_text_button(struct widget *parent, const char *id,
                                        const char *text, int action)
{
    struct widget *button = widget_new(parent, &kind_button);

    widget_style_apply(button, "plain");
    button->layout.padding = (struct widget_edges){14, 0, 14, 0};
    widget_set_id(button, id);
    widget_set_text(button, text);
    widget_set_action(button, action, 0);
    return button;
}

/* ---- web pages ---- */

static void begin_web(struct widget *widget)
{
    widget->flags |= WIDGET_CLIPS | WIDGET_FOCUSABLE;
    widget->look.background = widget->theme->surface_container_lowest;
    widget->layout.width = WIDGET_FILL;
    widget->layout.gap = 12;
    widget->layout.padding = (struct widget_edges){16, 16, 16, 16};
}

const struct widget_kind kind_web = {
    .name = "web",
    .class = "android.webkit.WebView",
    .begin = begin_web,
    .measure = scroller_measure,
    .arrange = scroller_arrange,
};
