#include "tools/phone/widgets/widget.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/widgets/text_scale.h"
#include "tools/phone/widgets/widget_kinds.h"

/* At this many dots per inch one dp is one pixel. */
#define DENSITY_BASE 160.0F

/* Opacity of the overlay on a pressed widget, of 255. */
#define PRESSED_PART 31

/* Size of a shadow, and its vertical offset, in dp. */
#define SHADOW_REACH 12
#define SHADOW_DROP 2

/* ---- building ---- */

void widget_tree_init(struct widget_tree *tree, struct phone_fonts *fonts,
                      const struct phone_theme *theme, struct widget_size size,
                      int density)
{
    *tree = (struct widget_tree){
        .fonts = fonts,
        .theme = theme,
        .scale = (float)density / DENSITY_BASE,
        .text_scale = 1,
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
    struct widget *widget = mem_new(1, sizeof(*widget));

    widget->kind = kind;
    widget->tree = tree;
    widget->theme = parent ? parent->theme : tree->theme;
    widget->parent = parent;
    widget->depth = parent ? parent->depth + 1 : 0;
    widget->made_before = tree->newest;
    tree->newest = widget;
    tree->count++;
    return widget;
}

static void begin(struct widget *widget)
{
    if (widget->kind->begin)
        widget->kind->begin(widget);
}

static struct widget *make_last(struct widget_tree *tree, struct widget *parent,
                                const struct widget_kind *kind)
{
    struct widget **first = parent ? &parent->first : &tree->first;
    struct widget **last = parent ? &parent->last : &tree->last;
    struct widget *widget = make(tree, parent, kind);

    widget->previous = *last;
    if (*last)
        (*last)->next = widget;
    else
        *first = widget;
    *last = widget;
    begin(widget);
    return widget;
}

struct widget *widget_window(struct widget_tree *tree, const char *package)
{
    struct widget *window = make_last(tree, NULL, &kind_stack);

    window->package = mem_dup(package);
    window->layout.width = WIDGET_FILL;
    window->layout.height = WIDGET_FILL;
    return window;
}

struct widget *widget_new(struct widget *parent, const struct widget_kind *kind)
{
    return make_last(parent->tree, parent, kind);
}

struct widget *widget_new_first(struct widget *parent,
                                const struct widget_kind *kind)
{
    struct widget *widget;

    if (!parent->first)
        return widget_new(parent, kind);
    widget = make(parent->tree, parent, kind);
    widget->next = parent->first;
    parent->first->previous = widget;
    parent->first = widget;
    begin(widget);
    return widget;
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

/* ---- identities ---- */

static uint64_t hash(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

static const char *name_of(const struct widget *widget)
{
    if (widget->key)
        return widget->key;
    if (widget->id)
        return widget->id;
    return widget->kind->name ? widget->kind->name : widget->kind->class;
}

/* The number of siblings of that name before it, for widgets without a key. */
static uint64_t place_of(const struct widget *widget)
{
    const char *name = name_of(widget);
    uint64_t place = 1;

    for (const struct widget *other = widget->key ? NULL : widget->previous;
         other; other = other->previous)
        place += !strcmp(name_of(other), name);
    return place;
}

static void complete(struct widget *widget, uint64_t above)
{
    widget->identity = (hash(above, name_of(widget)) ^ place_of(widget)) *
                       UINT64_C(0x9e3779b97f4a7c15);
    if (widget->kind->expand)
        widget->kind->expand(widget);
    for (struct widget *child = widget->first; child; child = child->next)
        complete(child, widget->identity);
}

void widget_tree_complete(struct widget_tree *tree)
{
    const uint64_t start = UINT64_C(0xcbf29ce484222325);

    for (struct widget *window = tree->first; window; window = window->next) {
        if (!window->identity)
            complete(window, hash(start ^ tree->run, window->package));
    }
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

/* One side: given by the layout, or else the size of the content. */
static int side(const struct widget *widget, float dp, int content, int room)
{
    if (dp == WIDGET_FILL && !widget_is_endless(room))
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

    if (widget->measured && room.width == widget->room.width &&
        room.height == widget->room.height)
        return;
    widget->measured = true;
    widget->room = room;
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

struct box widget_content(const struct widget *widget)
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
        widget->kind->arrange(widget, widget_content(widget));
}

static bool covers_screen(const struct widget *window)
{
    return window->layout.height == WIDGET_FILL;
}

static struct widget_size window_room(const struct widget *window)
{
    struct widget_size room = window->tree->size;

    if (!covers_screen(window) && !(window->flags & WIDGET_PASSIVE))
        room.height -= window->tree->keyboard;
    return room;
}

/*
 * Windows smaller than the screen are centered in the space above the keyboard,
 * or at its bottom; windows that cover the screen hide those below.
 */
static struct box window_box(const struct widget *window)
{
    const struct widget_tree *tree = window->tree;
    bool apart = window->flags & WIDGET_PASSIVE; /* of the app */
    int bottom = tree->size.height - (apart ? 0 : tree->keyboard);
    int left = (tree->size.width - window->wanted.width) / 2;
    int top = window->flags & WIDGET_SHEET
                  ? bottom - window->wanted.height
                  : (bottom - window->wanted.height) / 2;

    if (window->wanted.height > bottom)
        top = 0;
    return (struct box){left, top, left + window->wanted.width,
                        top + window->wanted.height};
}

void widget_tree_arrange(struct widget_tree *tree)
{
    widget_tree_complete(tree);
    for (struct widget *window = tree->first; window; window = window->next) {
        if (!(window->flags & WIDGET_PASSIVE) && covers_screen(window))
            window->layout.padding.bottom = (float)tree->keyboard / tree->scale;
        widget_measure(window, window_room(window));
        widget_arrange(window, window_box(window));
    }
}

/* ---- ranges ---- */

static float range_length(const struct widget_range *range)
{
    float to = range->to > range->from ? range->to : range->from + 1;

    return to - range->from;
}

float widget_range_part(const struct widget *widget)
{
    const struct widget_range *range = &widget->range;
    float part = (range->value - range->from) / range_length(range);

    return fminf(fmaxf(part, 0), 1);
}

float widget_range_at(const struct widget *widget, int x)
{
    const struct widget_range *range = &widget->range;
    struct box box = widget_content(widget);
    float part =
        box_width(box) > 0 ? (float)(x - box.left) / (float)box_width(box) : 0;
    float above = fminf(fmaxf(part, 0), 1) * range_length(range);

    if (range->step > 0)
        above = roundf(above / range->step) * range->step;
    return range->from + fminf(above, range_length(range));
}

/* ---- drawing ---- */

/* The texts of system bars and the keyboard are not scaled. */
static float text_scale(const struct widget *widget)
{
    const struct widget *window = widget;

    while (window->parent)
        window = window->parent;
    return window->flags & WIDGET_PASSIVE ? 1 : widget->tree->text_scale;
}

struct phone_font widget_font(const struct widget *widget)
{
    return (struct phone_font){
        widget->look.weight,
        (int)(text_scale_apply(widget->look.text_size, text_scale(widget)) *
                  widget->tree->scale * 64 +
              0.5F),
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
        widget->kind->draw(widget, canvas, widget_content(widget));
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

/* ---- hit testing ---- */

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

/* Widgets drawn later are on top, and children above their parent. */
static struct widget *hit(struct widget *widget, int x, int y)
{
    const unsigned used =
        WIDGET_CLICKABLE | WIDGET_LONG_CLICKABLE | WIDGET_SLIDES;

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

/* A dialog blocks touches of the windows below it. */
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

/* A drag on a widget that does not scroll scrolls the one around it. */
static struct widget *scroller(struct widget *widget, int x, int y,
                               bool sideways)
{
    struct widget *found = NULL;

    if ((widget->flags & WIDGET_CLIPS) && !box_holds(widget->bounds, x, y))
        return NULL;
    for (struct widget *child = widget->last; child && !found;
         child = child->previous)
        found = scroller(child, x, y, sideways);
    if (!found && (widget->flags & WIDGET_SCROLLABLE) &&
        sideways == !!(widget->flags & WIDGET_SIDEWAYS))
        found = widget;
    return found;
}

/* The keyboard blocks touches of the app; the bars do not. */
static bool stops_fingers(const struct widget *window, int x, int y)
{
    return (window->flags & WIDGET_DIALOG) ||
           ((window->flags & WIDGET_SHEET) && box_holds(window->bounds, x, y));
}

struct widget *widget_tree_scroller(const struct widget_tree *tree, int x,
                                    int y, bool sideways)
{
    struct widget *found = NULL;

    for (struct widget *window = tree->last; window && !found;
         window = window->previous) {
        found = scroller(window, x, y, sideways);
        if (stops_fingers(window, x, y))
            break;
    }
    return found;
}

struct widget *widget_tree_find(const struct widget_tree *tree,
                                uint64_t identity)
{
    struct widget *widget = tree->newest;

    while (widget && widget->identity != identity)
        widget = widget->made_before;
    return widget;
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
