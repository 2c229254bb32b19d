/* Text fields. */
#include <string.h>

#include "base/buf.h"
#include "tools/phone/widgets/widget_kinds.h"
#include "tools/phone/widgets/widget_kinds_private.h"

#define LABEL_SIZE 12.0F /* size of the hint above a text */
#define LABEL_TOP 7.0F
#define LABEL_SHIFT 8.0F /* vertical offset of the text below the hint */
#define CARET_WIDTH 2.0F
#define HANDLE 7.0F       /* radius of the selection handles */
#define SELECTION_PART 80 /* of 255 */
#define AREA_LINES 3      /* minimum height of a text area in lines */

static bool has_lines(const struct widget *widget)
{
    return widget->flags & WIDGET_LINES;
}

/* ---- displayed text ---- */

static const char dot[] = "•";

/* The text, with dots for the characters of a password. */
static void show(const struct widget *widget, struct buf *shown)
{
    const char *text = widget->text ? widget->text : "";

    *shown = (struct buf)BUF_INIT(SIZE_MAX / 2);
    if (!(widget->flags & WIDGET_PASSWORD)) {
        buf_text(shown, text);
        return;
    }
    for (; *text; text++) {
        if (((unsigned char)*text & 0xc0) != 0x80)
            buf_text(shown, dot);
    }
}

/* A position of the text in the displayed text. */
static size_t shown_position(const struct widget *widget, size_t at)
{
    size_t characters = 0;

    if (!(widget->flags & WIDGET_PASSWORD))
        return at;
    for (size_t i = 0; i < at; i++)
        characters += ((unsigned char)widget->text[i] & 0xc0) != 0x80;
    return characters * strlen(dot);
}

/* The inverse. */
static size_t text_position(const struct widget *widget, size_t at)
{
    size_t characters = at / strlen(dot);
    size_t i = 0;

    if (!(widget->flags & WIDGET_PASSWORD))
        return at;
    while (widget->text && widget->text[i]) {
        if (((unsigned char)widget->text[i] & 0xc0) != 0x80 && !characters--)
            break;
        i++;
    }
    return i;
}

/* ---- layout ---- */

/* The layout of a field: its text, from the top left of place. */
struct view {
    const struct widget *widget;
    struct buf shown;
    struct paragraph paragraph;
    struct box box;
    struct paragraph_spot place;
    int line; /* height */
};

/* With a background there is room for the hint above the text. */
static bool has_label(const struct widget *widget)
{
    return widget->hint && !has_lines(widget) &&
           (widget->look.background || widget->look.outline) &&
           (text_is_there(widget) || (widget->flags & WIDGET_FOCUSED));
}

/* A line longer than the field is scrolled to show the caret. */
static void place_line(struct view *view)
{
    const struct widget *widget = view->widget;
    int caret = paragraph_spot(&view->paragraph,
                               shown_position(widget, widget->kept.caret))
                    .x +
                widget_px(widget->tree, CARET_WIDTH);
    int over = caret - box_width(view->box);

    view->place.x = view->box.left;
    view->place.y = view->box.top + (box_height(view->box) - view->line) / 2;
    if (has_label(widget))
        view->place.y += widget_px(widget->tree, LABEL_SHIFT);
    if (over > 0 && (widget->flags & WIDGET_FOCUSED))
        view->place.x -= over;
}

static void view_init(struct view *view, const struct widget *widget,
                      struct box box)
{
    struct phone_font font = widget_font(widget);

    *view = (struct view){.widget = widget, .box = box};
    show(widget, &view->shown);
    view->line = fonts_metrics(widget->tree->fonts, font).line;
    view->paragraph = (struct paragraph){
        .fonts = widget->tree->fonts,
        .font = font,
        .text = buf_cstr(&view->shown),
        .width = has_lines(widget) ? box_width(box) : WIDGET_ENDLESS,
    };
    view->place = (struct paragraph_spot){box.left, box.top};
    if (!has_lines(widget))
        place_line(view);
}

static void view_release(struct view *view)
{
    buf_release(&view->shown);
}

size_t field_position(const struct widget *field, int x, int y)
{
    struct view view;
    size_t at;

    view_init(&view, field, widget_content(field));
    at = paragraph_offset(&view.paragraph, x - view.place.x, y - view.place.y);
    view_release(&view);
    return text_position(field, at);
}

/* ---- drawing ---- */

static void draw_label(const struct widget *widget, struct canvas *canvas,
                       struct box box)
{
    struct phone_font font = widget_font(widget);
    bool focused = widget->flags & WIDGET_FOCUSED;
    struct font_place place = {box.left, 0};

    font.size = (int)(LABEL_SIZE * widget->tree->scale * 64);
    place.y = widget->bounds.top + widget_px(widget->tree, LABEL_TOP) +
              fonts_metrics(widget->tree->fonts, font).ascent;
    fonts_draw(widget->tree->fonts, font, canvas, place, widget->hint,
               strlen(widget->hint),
               focused ? widget->theme->primary.base
                       : widget->theme->on_surface_variant);
}

static void draw_hint(const struct view *view, struct canvas *canvas)
{
    struct paragraph paragraph = view->paragraph;
    struct box box = view->box;

    paragraph.text = view->widget->hint;
    if (!has_lines(view->widget)) {
        paragraph.width = box_width(box);
        paragraph.lines_max = 1;
    }
    box.top = view->place.y;
    paragraph_draw(&paragraph, canvas, box, PARAGRAPH_LEFT,
                   view->widget->theme->on_surface_variant);
}

static struct paragraph_spot spot_of(const struct view *view, size_t at)
{
    struct paragraph_spot spot =
        paragraph_spot(&view->paragraph, shown_position(view->widget, at));

    return (struct paragraph_spot){spot.x + view->place.x,
                                   spot.y + view->place.y};
}

static void draw_handle(const struct view *view, struct canvas *canvas,
                        struct paragraph_spot spot)
{
    const struct widget *widget = view->widget;
    int radius = widget_px(widget->tree, HANDLE);
    struct box box = {spot.x - radius, spot.y + view->line, spot.x + radius,
                      spot.y + view->line + 2 * radius};

    canvas_round(canvas, box, (float)radius, widget->theme->primary.base);
}

/* Highlight from one position to another, line by line. */
static void draw_selection(const struct view *view, struct canvas *canvas)
{
    const struct widget_kept *kept = &view->widget->kept;
    bool ahead = kept->caret < kept->anchor;
    struct paragraph_spot from =
        spot_of(view, ahead ? kept->caret : kept->anchor);
    struct paragraph_spot to =
        spot_of(view, ahead ? kept->anchor : kept->caret);
    uint32_t color =
        color_fade(view->widget->theme->primary.base, SELECTION_PART);

    for (int y = from.y; y <= to.y; y += view->line) {
        struct box box = {y == from.y ? from.x : view->box.left, y,
                          y == to.y ? to.x : view->box.right, y + view->line};

        canvas_fill(canvas, box, color);
    }
}

static void draw_handles(const struct view *view, struct canvas *canvas)
{
    draw_handle(view, canvas, spot_of(view, view->widget->kept.anchor));
    draw_handle(view, canvas, spot_of(view, view->widget->kept.caret));
}

static void draw_caret(const struct view *view, struct canvas *canvas)
{
    const struct widget *widget = view->widget;
    struct paragraph_spot spot = spot_of(view, widget->kept.caret);
    int width = widget_px(widget->tree, CARET_WIDTH);

    canvas_fill(
        canvas,
        (struct box){spot.x, spot.y, spot.x + width, spot.y + view->line},
        widget->theme->primary.base);
}

static void draw_typed(const struct view *view, struct canvas *canvas)
{
    struct box box = view->box;
    struct box clip = canvas_clip(canvas, view->box);

    box.top = view->place.y;
    box.left = view->place.x;
    if (view->widget->kept.caret != view->widget->kept.anchor)
        draw_selection(view, canvas);
    paragraph_draw(&view->paragraph, canvas, box, PARAGRAPH_LEFT,
                   view->widget->look.ink);
    canvas->clip = clip;
}

static void draw_field(const struct widget *widget, struct canvas *canvas,
                       struct box box)
{
    bool focused = widget->flags & WIDGET_FOCUSED;
    struct view view;

    view_init(&view, widget, box);
    if (focused && widget->look.outline)
        canvas_ring(canvas, widget->bounds,
                    widget->look.radius * widget->tree->scale,
                    2 * widget->tree->scale, widget->theme->primary.base);
    if (has_label(widget))
        draw_label(widget, canvas, box);
    if (text_is_there(widget))
        draw_typed(&view, canvas);
    else if (widget->hint && !has_label(widget))
        draw_hint(&view, canvas);
    if (focused && widget->kept.caret == widget->kept.anchor)
        draw_caret(&view, canvas);
    else if (focused)
        draw_handles(&view, canvas);
    view_release(&view);
}

/* ---- kinds ---- */

static struct widget_size measure_field(struct widget *widget,
                                        struct widget_size room)
{
    struct phone_font font = widget_font(widget);
    int line = fonts_metrics(widget->tree->fonts, font).line;
    struct paragraph paragraph = {
        .fonts = widget->tree->fonts,
        .font = font,
        .text = widget->text ? widget->text : "",
        .width = room.width,
    };
    int lines = has_lines(widget) ? paragraph_measure(&paragraph).lines : 1;
    int least = has_lines(widget) ? AREA_LINES : 1;

    return (struct widget_size){room.width,
                                (lines > least ? lines : least) * line};
}

static void begin_field(struct widget *widget)
{
    widget->flags |= WIDGET_CLICKABLE | WIDGET_LONG_CLICKABLE |
                     WIDGET_FOCUSABLE | WIDGET_EDITABLE;
    widget->look.background = widget->theme->surface_container_highest;
    widget->look.ink = widget->theme->on_surface;
    widget->look.text_size = 16;
    widget->look.radius = 12;
    widget->layout.width = WIDGET_FILL;
    widget->layout.height = 56;
    widget->layout.padding = (struct widget_edges){16, 0, 16, 0};
}

static void begin_area(struct widget *widget)
{
    begin_field(widget);
    widget->flags |= WIDGET_LINES;
    widget->layout.height = WIDGET_WRAP;
    widget->layout.padding = (struct widget_edges){16, 14, 16, 14};
}

/* A field without saved state has its caret at the end. */
static void expand_field(struct widget *widget)
{
    widget->kept.caret = widget->text ? strlen(widget->text) : 0;
    widget->kept.anchor = widget->kept.caret;
}

const struct widget_kind kind_field = {
    .name = "field",
    .class = "android.widget.EditText",
    .begin = begin_field,
    .expand = expand_field,
    .measure = measure_field,
    .draw = draw_field,
};

const struct widget_kind kind_area = {
    .name = "area",
    .class = "android.widget.EditText",
    .begin = begin_area,
    .expand = expand_field,
    .measure = measure_field,
    .draw = draw_field,
};
