/* Kinds that lay out children. */
#include "tools/phone/widgets/widget_kinds.h"
#include "tools/phone/widgets/widget_kinds_private.h"

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* The position of something of that size in room. */
static int offset(enum widget_align align, int size, int room)
{
    switch (align) {
    case WIDGET_CENTER:
        return (room - size) / 2;
    case WIDGET_END:
        return room - size;
    case WIDGET_START:
    case WIDGET_SPREAD:
        return 0;
    }
    return 0;
}

/* ---- rows and columns ---- */

/*
 * Rows and columns differ only in their main axis; so this is written once, for
 * sizes that are swapped if the axis is horizontal.
 */
struct layout_line {
    struct widget *widget;
    bool across; /* a row */
};

static int main_of(const struct layout_line *line, struct widget_size size)
{
    return line->across ? size.width : size.height;
}

static int cross_of(const struct layout_line *line, struct widget_size size)
{
    return line->across ? size.height : size.width;
}

static struct widget_size size_of(const struct layout_line *line, int main,
                                  int cross)
{
    return line->across ? (struct widget_size){main, cross}
                        : (struct widget_size){cross, main};
}

static int gaps_of(const struct layout_line *line)
{
    int gap = widget_px(line->widget->tree, line->widget->layout.gap);
    int gaps = 0;

    for (struct widget *child = line->widget->first; child; child = child->next)
        gaps += child->next ? gap : 0;
    return gaps;
}

/*
 * Measure the children: first those with a fixed size, then the others, which
 * share the remaining room by weight if it is limited. Returns the rest of
 * room.
 */
static int measure_children(const struct layout_line *line,
                            struct widget_size room)
{
    int left = main_of(line, room) - gaps_of(line);
    bool endless = widget_is_endless(left);
    int cross = cross_of(line, room);
    float weights = 0;

    for (struct widget *child = line->widget->first; child;
         child = child->next) {
        if (child->layout.weight > 0 && !endless) {
            weights += child->layout.weight;
            continue;
        }
        widget_measure(child, size_of(line, larger(left, 0), cross));
        left -= main_of(line, child->wanted);
    }
    for (struct widget *child = line->widget->first; child && weights > 0;
         child = child->next) {
        float weight = child->layout.weight;
        int share;

        if (weight <= 0)
            continue;
        share = (int)((float)larger(left, 0) * weight / weights);
        widget_measure(child, size_of(line, share, cross));
        child->wanted = size_of(line, share, cross_of(line, child->wanted));
        left -= share;
        weights -= weight;
    }
    return left;
}

static struct widget_size measure_line(struct layout_line line,
                                       struct widget_size room)
{
    int left = measure_children(&line, room);
    int cross = 0;

    for (struct widget *child = line.widget->first; child; child = child->next)
        cross = larger(cross, cross_of(&line, child->wanted));
    return size_of(&line, main_of(&line, room) - left, cross);
}

/* Place the measured children in box, the first one at start. */
static void place_children(struct layout_line line, struct box box, int at,
                           int gap)
{
    const struct widget_layout *layout = &line.widget->layout;
    enum widget_align beside = line.across ? layout->down : layout->across;
    struct widget_size room = {box_width(box), box_height(box)};

    for (struct widget *child = line.widget->first; child;
         child = child->next) {
        int cross = cross_of(&line, child->wanted);
        int aside = offset(beside, cross, cross_of(&line, room));
        struct widget_size place = size_of(&line, at, aside);

        widget_arrange(child, (struct box){
                                  box.left + place.width,
                                  box.top + place.height,
                                  box.left + place.width + child->wanted.width,
                                  box.top + place.height + child->wanted.height,
                              });
        at += main_of(&line, child->wanted) + gap;
    }
}

static void arrange_line(struct layout_line line, struct box box)
{
    const struct widget_layout *layout = &line.widget->layout;
    struct widget_size room = {box_width(box), box_height(box)};
    enum widget_align along = line.across ? layout->across : layout->down;
    int left = measure_children(&line, room);
    int gap = widget_px(line.widget->tree, layout->gap);
    int at = offset(along, main_of(&line, room) - left, main_of(&line, room));
    int count = 0;

    for (struct widget *child = line.widget->first; child; child = child->next)
        count++;
    if (along == WIDGET_SPREAD && count > 1)
        gap += larger(left, 0) / (count - 1);
    place_children(line, box, at, gap);
}

struct widget_size column_measure(struct widget *widget,
                                  struct widget_size room)
{
    return measure_line((struct layout_line){widget, false}, room);
}

void column_arrange(struct widget *widget, struct box box)
{
    arrange_line((struct layout_line){widget, false}, box);
}

struct widget_size row_measure(struct widget *widget, struct widget_size room)
{
    return measure_line((struct layout_line){widget, true}, room);
}

void row_arrange(struct widget *widget, struct box box)
{
    arrange_line((struct layout_line){widget, true}, box);
}

const struct widget_kind kind_column = {
    .name = "column",
    .class = "android.widget.LinearLayout",
    .measure = column_measure,
    .arrange = column_arrange,
};

const struct widget_kind kind_row = {
    .name = "row",
    .class = "android.widget.LinearLayout",
    .measure = row_measure,
    .arrange = row_arrange,
};

/* ---- stacks ---- */

static struct widget_size measure_stack(struct widget *widget,
                                        struct widget_size room)
{
    struct widget_size size = {0};

    for (struct widget *child = widget->first; child; child = child->next) {
        widget_measure(child, room);
        size.width = larger(size.width, child->wanted.width);
        size.height = larger(size.height, child->wanted.height);
    }
    return size;
}

static void arrange_stack(struct widget *widget, struct box box)
{
    struct widget_size room = {box_width(box), box_height(box)};

    for (struct widget *child = widget->first; child; child = child->next) {
        int left, top;

        widget_measure(child, room);
        left = box.left +
               offset(widget->layout.across, child->wanted.width, room.width);
        top = box.top +
              offset(widget->layout.down, child->wanted.height, room.height);
        widget_arrange(child,
                       (struct box){left, top, left + child->wanted.width,
                                    top + child->wanted.height});
    }
}

const struct widget_kind kind_stack = {
    .name = "stack",
    .class = "android.widget.FrameLayout",
    .measure = measure_stack,
    .arrange = arrange_stack,
};

/* ---- grids ---- */

/* All columns have the same width; a row is as high as its highest child. */
struct grid {
    int columns;
    int gap;
    int cell; /* width */
};

static struct grid grid_of(const struct widget *widget, int width)
{
    int columns = larger(widget->layout.columns, 1);
    int gap = widget_px(widget->tree, widget->layout.gap);

    return (struct grid){columns, gap,
                         larger((width - gap * (columns - 1)) / columns, 0)};
}

/* The height of the row that begins with first. */
static int row_height(const struct grid *grid, struct widget *first, int room)
{
    struct widget *child = first;
    int height = 0;

    for (int i = 0; child && i < grid->columns; i++, child = child->next) {
        widget_measure(child, (struct widget_size){grid->cell, room});
        height = larger(height, child->wanted.height);
    }
    return height;
}

static struct widget_size measure_grid(struct widget *widget,
                                       struct widget_size room)
{
    struct grid grid = grid_of(widget, room.width);
    struct widget *child = widget->first;
    int height = 0;

    while (child) {
        height += row_height(&grid, child, room.height);
        for (int i = 0; child && i < grid.columns; i++)
            child = child->next;
        height += child ? grid.gap : 0;
    }
    return (struct widget_size){room.width, height};
}

static void arrange_grid(struct widget *widget, struct box box)
{
    struct grid grid = grid_of(widget, box_width(box));
    struct widget *child = widget->first;
    int top = box.top;

    while (child) {
        int height = row_height(&grid, child, box_height(box));

        for (int i = 0; child && i < grid.columns; i++, child = child->next) {
            int left = box.left + i * (grid.cell + grid.gap);

            widget_arrange(
                child, (struct box){left, top, left + grid.cell, top + height});
        }
        top += height + grid.gap;
    }
}

const struct widget_kind kind_grid = {
    .name = "grid",
    .class = "android.view.ViewGroup",
    .measure = measure_grid,
    .arrange = arrange_grid,
};

/* ---- lists ---- */

/* A list is a line, or a grid, that may extend beyond its bounds. */
static struct layout_line scrolled_line(struct widget *widget)
{
    return (struct layout_line){widget, widget->flags & WIDGET_SIDEWAYS};
}

static struct widget_size endless_room(const struct layout_line *line,
                                       struct widget_size room)
{
    return size_of(line, WIDGET_ENDLESS, cross_of(line, room));
}

struct widget_size scroller_measure(struct widget *widget,
                                    struct widget_size room)
{
    struct layout_line line = scrolled_line(widget);
    struct widget_size size;

    room = endless_room(&line, room);
    size = widget->layout.columns > 1 ? measure_grid(widget, room)
                                      : measure_line(line, room);
    return size;
}

/* Apply the saved scroll offset, limited to the content. */
static void limit_scroll(struct widget *widget, int content, int room)
{
    widget->scroll_most = larger(content - room, 0);
    if (widget->kept.scroll > widget->scroll_most)
        widget->kept.scroll = widget->scroll_most;
    widget->kept.scroll = larger(widget->kept.scroll, 0);
    if (widget->scroll_most)
        widget->flags |= WIDGET_SCROLLABLE;
}

void scroller_arrange(struct widget *widget, struct box box)
{
    struct layout_line line = scrolled_line(widget);
    struct widget_size room = {box_width(box), box_height(box)};
    struct widget_size content = scroller_measure(widget, room);

    limit_scroll(widget, main_of(&line, content), main_of(&line, room));
    if (widget->layout.columns > 1) {
        box.top -= widget->kept.scroll;
        arrange_grid(widget, box);
        return;
    }
    place_children(line, box, -widget->kept.scroll,
                   widget_px(widget->tree, widget->layout.gap));
}

static void begin_list(struct widget *widget)
{
    widget->flags |= WIDGET_CLIPS | WIDGET_FOCUSABLE;
    widget->layout.width = WIDGET_FILL;
}

static void begin_scroll(struct widget *widget)
{
    widget->flags |= WIDGET_CLIPS;
    widget->layout.width = WIDGET_FILL;
}

static void begin_carousel(struct widget *widget)
{
    widget->flags |= WIDGET_CLIPS | WIDGET_SIDEWAYS;
    widget->layout.width = WIDGET_FILL;
    widget->layout.gap = 8;
}

const struct widget_kind kind_list = {
    .name = "list",
    .class = "androidx.recyclerview.widget.RecyclerView",
    .begin = begin_list,
    .measure = scroller_measure,
    .arrange = scroller_arrange,
};

const struct widget_kind kind_scroll = {
    .name = "scroll",
    .class = "android.widget.ScrollView",
    .begin = begin_scroll,
    .measure = scroller_measure,
    .arrange = scroller_arrange,
};

const struct widget_kind kind_carousel = {
    .name = "carousel",
    .class = "androidx.recyclerview.widget.RecyclerView",
    .begin = begin_carousel,
    .measure = scroller_measure,
    .arrange = scroller_arrange,
};

/* ---- wrapping rows ---- */

/* Lay out the children in rows that wrap; returns the total size. */
static struct widget_size flow(struct widget *widget, struct box box,
                               bool placing)
{
    int gap = widget_px(widget->tree, widget->layout.gap);
    int room = box_width(box);
    struct widget_size size = {0};
    int at = 0, top = 0, height = 0;

    for (struct widget *child = widget->first; child; child = child->next) {
        widget_measure(child, (struct widget_size){room, WIDGET_ENDLESS});
        if (at && at + child->wanted.width > room) {
            top += height + gap;
            at = height = 0;
        }
        if (placing)
            widget_arrange(child,
                           (struct box){box.left + at, box.top + top,
                                        box.left + at + child->wanted.width,
                                        box.top + top + child->wanted.height});
        size.width = larger(size.width, at + child->wanted.width);
        at += child->wanted.width + gap;
        height = larger(height, child->wanted.height);
    }
    size.height = top + height;
    return size;
}

static struct widget_size measure_flow(struct widget *widget,
                                       struct widget_size room)
{
    return flow(widget, (struct box){0, 0, room.width, room.height}, false);
}

static void arrange_flow(struct widget *widget, struct box box)
{
    flow(widget, box, true);
}

static void begin_flow(struct widget *widget)
{
    widget->layout.width = WIDGET_FILL;
    widget->layout.gap = 8;
}

const struct widget_kind kind_flow = {
    .name = "flow",
    .class = "android.view.ViewGroup",
    .begin = begin_flow,
    .measure = measure_flow,
    .arrange = arrange_flow,
};
