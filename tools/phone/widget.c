#include "tools/phone/widget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/kinds.h"

/* A density of this many dots per inch has one pixel per dp. */
#define DENSITY_BASE 160.0F

/* What a finger on a widget darkens it with, in parts of 255. */
#define PRESSED_PART 31

/* How far a shadow reaches, and how much lower it is, in dp. */
#define SHADOW_REACH 12
#define SHADOW_DROP 2

/* ---- building ---- */

void widget_tree_init(struct widget_tree *tree, struct fonts *fonts,
                      const struct theme *theme, struct widget_size size,
                      int density)
{
    *tree = (struct widget_tree){
        .fonts = fonts,
        .theme = theme,
        .scale = (float)density / DENSITY_BASE,
        .size = size,
    };
}

void widget_tree_release(struct widget_tree *tree)
{
    while (tree->newest) {
        struct widget *widget = tree->newest;

        tree->newest = widget->made_before;
        free(widget->class);
        free(widget->package);
        free(widget->key);
        free(widget->id);
        free(widget->text);
        free(widget->description);
        free(widget->detail);
        free(widget->hint);
        free(widget);
    }
    tree->first = NULL;
    tree->last = NULL;
    tree->count = 0;
}

static struct widget *make(struct widget_tree *tree, struct widget *parent,
                           const struct widget_kind *kind)
{
    struct widget **first = parent ? &parent->first : &tree->first;
    struct widget **last = parent ? &parent->last : &tree->last;
    struct widget *widget = mem_new(1, sizeof(*widget));

    widget->kind = kind;
    widget->tree = tree;
    widget->theme = parent ? parent->theme : tree->theme;
    widget->parent = parent;
    widget->depth = parent ? parent->depth + 1 : 0;
    widget->previous = *last;
    widget->made_before = tree->newest;
    tree->newest = widget;
    tree->count++;
    if (*last)
        (*last)->next = widget;
    else
        *first = widget;
    *last = widget;
    if (kind->begin)
        kind->begin(widget);
    return widget;
}

struct widget *widget_window(struct widget_tree *tree, const char *package)
{
    struct widget *window = make(tree, NULL, &kind_stack);

    window->package = mem_dup(package);
    window->layout.width = WIDGET_FILL;
    window->layout.height = WIDGET_FILL;
    return window;
}

struct widget *widget_new(struct widget *parent, const struct widget_kind *kind)
{
    return make(parent->tree, parent, kind);
}

static void set(char **to, const char *text)
{
    free(*to);
    *to = mem_dup(text);
}

static const struct widget *window_of(const struct widget *widget)
{
    while (widget->parent)
        widget = widget->parent;
    return widget;
}

void widget_set_id(struct widget *widget, const char *id)
{
    const char *package = window_of(widget)->package;
    size_t size = strlen(package) + strlen(":id/") + strlen(id) + 1;

    if (strchr(id, ':')) {
        set(&widget->id, id);
        return;
    }
    free(widget->id);
    widget->id = mem_new(size, 1);
    snprintf(widget->id, size, "%s:id/%s", package, id);
}

void widget_set_class(struct widget *widget, const char *class)
{
    set(&widget->class, class);
}

void widget_set_text(struct widget *widget, const char *text)
{
    set(&widget->text, text);
}

void widget_set_description(struct widget *widget, const char *description)
{
    set(&widget->description, description);
}

void widget_set_detail(struct widget *widget, const char *detail)
{
    set(&widget->detail, detail);
}

void widget_set_key(struct widget *widget, const char *key)
{
    set(&widget->key, key);
}

void widget_set_hint(struct widget *widget, const char *hint)
{
    set(&widget->hint, hint);
}

void widget_set_action(struct widget *widget, int action, int64_t argument)
{
    widget->action = action;
    widget->argument = argument;
    widget->flags |= WIDGET_CLICKABLE | WIDGET_FOCUSABLE;
}

int widget_px(const struct widget_tree *tree, float dp)
{
    return (int)(dp * tree->scale + 0.5F);
}

/* ---- layout ---- */

struct edges {
    int left, top, right, bottom;
};

static struct edges padding_of(const struct widget *widget)
{
    const struct widget_edges *dp = &widget->layout.padding;

    return (struct edges){
        widget_px(widget->tree, dp->left),
        widget_px(widget->tree, dp->top),
        widget_px(widget->tree, dp->right),
        widget_px(widget->tree, dp->bottom),
    };
}

static int at_most(int value, int limit)
{
    if (value < 0 || limit < 0)
        return 0;
    return value < limit ? value : limit;
}

/* One side: what the layout says, or else what the content wants. */
static int side(const struct widget *widget, float dp, int content, int room)
{
    if (dp == WIDGET_FILL)
        return room;
    return at_most(dp > 0 ? widget_px(widget->tree, dp) : content, room);
}

void widget_measure(struct widget *widget, struct widget_size room)
{
    const struct widget_layout *layout = &widget->layout;
    struct edges edges = padding_of(widget);
    struct widget_size content = {0};
    struct widget_size inside = {
        side(widget, layout->width, room.width, room.width) - edges.left -
            edges.right,
        side(widget, layout->height, room.height, room.height) - edges.top -
            edges.bottom,
    };

    inside.width = at_most(inside.width, room.width);
    inside.height = at_most(inside.height, room.height);
    if (widget->kind->measure)
        content = widget->kind->measure(widget, inside);
    content.width += edges.left + edges.right;
    content.height += edges.top + edges.bottom;
    widget->wanted = (struct widget_size){
        side(widget, layout->width, content.width, room.width),
        side(widget, layout->height, content.height, room.height),
    };
}

static struct box content_box(const struct widget *widget)
{
    struct edges edges = padding_of(widget);

    return (struct box){
        widget->bounds.left + edges.left,
        widget->bounds.top + edges.top,
        widget->bounds.right - edges.right,
        widget->bounds.bottom - edges.bottom,
    };
}

void widget_arrange(struct widget *widget, struct box box)
{
    widget->bounds = box;
    if (widget->kind->arrange)
        widget->kind->arrange(widget, content_box(widget));
}

/* Windows smaller than the screen are in its middle. */
void widget_tree_arrange(struct widget_tree *tree)
{
    for (struct widget *window = tree->first; window; window = window->next) {
        struct box box;

        widget_measure(window, tree->size);
        box.left = (tree->size.width - window->wanted.width) / 2;
        box.top = (tree->size.height - window->wanted.height) / 2;
        box.right = box.left + window->wanted.width;
        box.bottom = box.top + window->wanted.height;
        widget_arrange(window, box);
    }
}

/* ---- drawing ---- */

struct font widget_font(const struct widget *widget)
{
    return (struct font){
        widget->look.weight,
        (int)(widget->look.text_size * widget->tree->scale * 64 + 0.5F),
    };
}

static void draw_ground(const struct widget *widget, struct canvas *canvas)
{
    const struct widget_look *look = &widget->look;
    const struct widget_tree *tree = widget->tree;
    float radius = look->radius * tree->scale;

    if (look->shadow)
        canvas_shadow(canvas, widget->bounds, radius,
                      (struct canvas_shadow){SHADOW_REACH * tree->scale,
                                             widget_px(tree, SHADOW_DROP)},
                      look->shadow);
    if (look->background && radius > 0)
        canvas_round(canvas, widget->bounds, radius, look->background);
    else if (look->background)
        canvas_fill(canvas, widget->bounds, look->background);
    if (look->outline)
        canvas_ring(canvas, widget->bounds, radius, tree->scale, look->outline);
}

static void draw(const struct widget *widget, struct canvas *canvas)
{
    struct box clip = canvas->clip;

    draw_ground(widget, canvas);
    if (widget->kind->draw)
        widget->kind->draw(widget, canvas, content_box(widget));
    if (widget->flags & WIDGET_CLIPS)
        clip = canvas_clip(canvas, widget->bounds);
    for (const struct widget *child = widget->first; child; child = child->next)
        draw(child, canvas);
    canvas->clip = clip;
    if (widget->flags & WIDGET_PRESSED)
        canvas_round(canvas, widget->bounds,
                     widget->look.radius * widget->tree->scale,
                     color_fade(widget->look.ink, PRESSED_PART));
}

void widget_tree_draw(const struct widget_tree *tree, struct canvas *canvas)
{
    for (const struct widget *window = tree->first; window;
         window = window->next) {
        if (window->flags & WIDGET_DIALOG)
            canvas_fill(canvas, canvas->clip, window->theme->scrim);
        draw(window, canvas);
    }
}

/* ---- finding ---- */

struct box widget_visible(const struct widget *widget)
{
    struct box box = widget->bounds;
    struct box screen = {0, 0, widget->tree->size.width,
                         widget->tree->size.height};

    for (const struct widget *up = widget->parent; up; up = up->parent) {
        if (up->flags & WIDGET_CLIPS)
            box = box_meet(box, up->bounds);
    }
    box = box_meet(box, screen);
    return box_is_empty(box) ? (struct box){0} : box;
}

/* What is drawn last is on top, and children are above their parent. */
static struct widget *hit(struct widget *widget, int x, int y)
{
    const unsigned used = WIDGET_CLICKABLE | WIDGET_LONG_CLICKABLE;

    if ((widget->flags & WIDGET_CLIPS) && !box_holds(widget->bounds, x, y))
        return NULL;
    for (struct widget *child = widget->last; child; child = child->previous) {
        struct widget *found = hit(child, x, y);

        if (found)
            return found;
    }
    return (widget->flags & used) && box_holds(widget->bounds, x, y) ? widget
                                                                     : NULL;
}

/* A dialog keeps every touch from the windows below it. */
struct widget *widget_tree_hit(const struct widget_tree *tree, int x, int y)
{
    for (struct widget *window = tree->last; window;
         window = window->previous) {
        struct widget *found = hit(window, x, y);

        if (found)
            return found->flags & WIDGET_DISABLED ? NULL : found;
        if (window->flags & WIDGET_DIALOG)
            break;
    }
    return NULL;
}

const struct widget *widget_tree_active(const struct widget_tree *tree)
{
    const struct widget *window = tree->last;

    while (window && (window->flags & WIDGET_PASSIVE))
        window = window->previous;
    return window;
}

const struct widget *widget_after(const struct widget *widget,
                                  const struct widget *root)
{
    if (widget->first)
        return widget->first;
    while (widget != root && !widget->next)
        widget = widget->parent;
    return widget == root ? NULL : widget->next;
}
