/*
 * Controls: buttons, chips, switches, check boxes, sliders, progress, ratings.
 */
#include <math.h>

#include "tools/phone/widgets/widget_kinds.h"
#include "tools/phone/widgets/widget_kinds_private.h"
#include "tools/phone/widgets/widget_style.h"

/* Opacity of disabled widgets, of 255. */
#define DISABLED_PART 97

static int px(const struct widget *widget, float dp)
{
    return widget_px(widget->tree, dp);
}

static uint32_t shade(const struct widget *widget, uint32_t color)
{
    return widget->flags & WIDGET_DISABLED ? color_fade(color, DISABLED_PART)
                                           : color;
}

static bool is_on(const struct widget *widget)
{
    return widget->flags & WIDGET_CHECKED;
}

/* A disc around a point. */
static void draw_disc(struct canvas *canvas, int x, int y, int radius,
                      uint32_t color)
{
    canvas_round(canvas,
                 (struct box){x - radius, y - radius, x + radius, y + radius},
                 (float)radius, color);
}

/* ---- switches ---- */

#define SWITCH_WIDTH 52.0F
#define SWITCH_HEIGHT 32.0F

static struct widget_size measure_switch(struct widget *widget,
                                         struct widget_size room)
{
    (void)room;
    return (struct widget_size){px(widget, SWITCH_WIDTH),
                                px(widget, SWITCH_HEIGHT)};
}

static void draw_switch(const struct widget *widget, struct canvas *canvas,
                        struct box box)
{
    const struct phone_theme *theme = widget->theme;
    int height = px(widget, SWITCH_HEIGHT);
    int middle = (box.top + box.bottom) / 2;
    struct box track = {box.right - px(widget, SWITCH_WIDTH),
                        middle - height / 2, box.right,
                        middle - height / 2 + height};
    float radius = (float)height / 2;

    if (is_on(widget)) {
        canvas_round(canvas, track, radius, shade(widget, theme->primary.base));
        draw_disc(canvas, track.right - height / 2, middle, px(widget, 12),
                  theme->primary.on);
        icon_draw(icon_find("check"), widget->tree->fonts, canvas,
                  (struct font_place){track.right - height / 2 - px(widget, 8),
                                      middle - px(widget, 8)},
                  px(widget, 16), theme->primary.on_container);
        return;
    }
    canvas_round(canvas, track, radius,
                 shade(widget, theme->surface_container_highest));
    canvas_ring(canvas, track, radius, 2 * widget->tree->scale,
                shade(widget, theme->outline));
    draw_disc(canvas, track.left + height / 2, middle, px(widget, 8),
              shade(widget, theme->outline));
}

static void begin_switch(struct widget *widget)
{
    widget->flags |= WIDGET_CHECKABLE;
    widget->look.ink = widget->theme->on_surface;
    widget->look.radius = SWITCH_HEIGHT / 2;
}

const struct widget_kind kind_switch = {
    .name = "switch",
    .class = "android.widget.Switch",
    .begin = begin_switch,
    .measure = measure_switch,
    .draw = draw_switch,
};

/* ---- check boxes and radio buttons ---- */

#define MARK_SIZE 20.0F
#define MARK_ROOM 40.0F /* the mark with its border */

static struct widget_size measure_mark(struct widget *widget,
                                       struct widget_size room)
{
    int mark = px(widget, MARK_ROOM);
    struct widget_size size = {mark, mark};

    if (text_is_there(widget)) {
        struct widget_size text;

        room.width -= mark;
        text = text_measure(widget, room);
        size.width += text.width + px(widget, 8);
        size.height = text.height > mark ? text.height : mark;
    }
    return size;
}

/* Lay out the text beside the mark; returns the mark's box. */
static struct box draw_beside(const struct widget *widget,
                              struct canvas *canvas, struct box box)
{
    int room = px(widget, MARK_ROOM);
    int size = px(widget, MARK_SIZE);
    int left = box.left + (room - size) / 2;
    int top = (box.top + box.bottom - size) / 2;

    box.left += room;
    if (text_is_there(widget))
        text_draw(widget, canvas, box);
    return (struct box){left, top, left + size, top + size};
}

static void draw_checkbox(const struct widget *widget, struct canvas *canvas,
                          struct box box)
{
    const struct phone_theme *theme = widget->theme;
    struct box mark = draw_beside(widget, canvas, box);
    float radius = 3 * widget->tree->scale;

    if (!is_on(widget)) {
        canvas_ring(canvas, box_inset(mark, px(widget, 1)), radius,
                    2 * widget->tree->scale,
                    shade(widget, theme->on_surface_variant));
        return;
    }
    canvas_round(canvas, box_inset(mark, px(widget, 1)), radius,
                 shade(widget, theme->primary.base));
    icon_draw(icon_find("check"), widget->tree->fonts, canvas,
              (struct font_place){mark.left, mark.top}, box_width(mark),
              theme->primary.on);
}

static void draw_radio(const struct widget *widget, struct canvas *canvas,
                       struct box box)
{
    const struct phone_theme *theme = widget->theme;
    struct box mark = draw_beside(widget, canvas, box);
    uint32_t ink = shade(widget, is_on(widget) ? theme->primary.base
                                               : theme->on_surface_variant);

    canvas_ring(canvas, mark, MARK_SIZE * widget->tree->scale,
                2 * widget->tree->scale, ink);
    if (is_on(widget))
        draw_disc(canvas, (mark.left + mark.right) / 2,
                  (mark.top + mark.bottom) / 2, px(widget, 5), ink);
}

static void begin_mark(struct widget *widget)
{
    widget->flags |= WIDGET_CHECKABLE;
    widget->look.ink = widget->theme->on_surface;
    widget->look.text_size = 16;
    widget->look.radius = 8;
}

const struct widget_kind kind_checkbox = {
    .name = "checkbox",
    .class = "android.widget.CheckBox",
    .begin = begin_mark,
    .measure = measure_mark,
    .draw = draw_checkbox,
};

const struct widget_kind kind_radio = {
    .name = "radio",
    .class = "android.widget.RadioButton",
    .begin = begin_mark,
    .measure = measure_mark,
    .draw = draw_radio,
};

/* ---- sliders and progress ---- */

#define SLIDER_TRACK 16.0F
#define SLIDER_HANDLE 4.0F /* width */

/* The part of a track between two positions. */
static void draw_track(const struct widget *widget, struct canvas *canvas,
                       struct box track, int from, int to, uint32_t color)
{
    struct box part = {from, track.top, to, track.bottom};

    if (to > from)
        canvas_round(canvas, part, (float)box_height(track) / 2,
                     shade(widget, color));
}

static struct box track_of(const struct widget *widget, struct box box,
                           float height)
{
    int middle = (box.top + box.bottom) / 2;
    int half = px(widget, height) / 2;

    return (struct box){box.left, middle - half, box.right, middle + half};
}

static int track_place(const struct widget *widget, struct box track)
{
    return track.left +
           (int)((float)box_width(track) * widget_range_part(widget) + 0.5F);
}

/* A track with a gap around the handle. */
static void draw_slider(const struct widget *widget, struct canvas *canvas,
                        struct box box)
{
    const struct phone_theme *theme = widget->theme;
    struct box track = track_of(widget, box, SLIDER_TRACK);
    int at = track_place(widget, track);
    int gap = px(widget, SLIDER_HANDLE / 2 + 6);
    int half = px(widget, SLIDER_HANDLE / 2);
    struct box handle = {at - half, box.top, at + half, box.bottom};

    track.left -= px(widget, 8);
    track.right += px(widget, 8);
    draw_track(widget, canvas, track, track.left, at - gap,
               theme->primary.base);
    draw_track(widget, canvas, track, at + gap, track.right,
               theme->secondary.container);
    canvas_round(canvas, handle, (float)half,
                 shade(widget, theme->primary.base));
}

static void begin_slider(struct widget *widget)
{
    widget->flags |= WIDGET_FOCUSABLE | WIDGET_SLIDES;
    widget->layout.width = WIDGET_FILL;
    widget->layout.height = 44;
    widget->layout.padding = (struct widget_edges){16, 4, 16, 4};
}

const struct widget_kind kind_slider = {
    .name = "slider",
    .class = "android.widget.SeekBar",
    .begin = begin_slider,
    .draw = draw_slider,
};

static void draw_progress(const struct widget *widget, struct canvas *canvas,
                          struct box box)
{
    const struct phone_theme *theme = widget->theme;
    struct box track = track_of(widget, box, 4);
    int at = track_place(widget, track);

    draw_track(widget, canvas, track, track.left, at, theme->primary.base);
    draw_track(widget, canvas, track, at + px(widget, 4), track.right,
               theme->secondary.container);
}

static void begin_progress(struct widget *widget)
{
    widget->layout.width = WIDGET_FILL;
    widget->layout.height = 4;
}

const struct widget_kind kind_progress = {
    .name = "progress",
    .class = "android.widget.ProgressBar",
    .begin = begin_progress,
    .draw = draw_progress,
};

/* An open circle: progress without a known end. */
static void draw_spinner(const struct widget *widget, struct canvas *canvas,
                         struct box box)
{
    static const struct phone_icon arc = {
        .layers = {{"M12 2.5 C17.25 2.5 21.5 6.75 21.5 12 "
                    "C21.5 17.25 17.25 21.5 12 21.5 C9.4 21.5 7 20.4 5.3 18.7",
                    2.2F, 0}}};
    int size =
        box_width(box) < box_height(box) ? box_width(box) : box_height(box);

    icon_draw(&arc, widget->tree->fonts, canvas,
              (struct font_place){(box.left + box.right - size) / 2,
                                  (box.top + box.bottom - size) / 2},
              size, widget->theme->primary.base);
}

static void begin_spinner(struct widget *widget)
{
    widget->layout.width = 44;
    widget->layout.height = 44;
}

const struct widget_kind kind_spinner = {
    .name = "spinner",
    .class = "android.widget.ProgressBar",
    .begin = begin_spinner,
    .draw = draw_spinner,
};

/* ---- rating stars ---- */

#define STARS 5
#define STAR_INK 0xfff2a60dU

static struct widget_size measure_rating(struct widget *widget,
                                         struct widget_size room)
{
    int star = px(widget, widget->look.text_size);

    (void)room;
    return (struct widget_size){star * STARS, star};
}

static void draw_stars(const struct widget *widget, struct canvas *canvas,
                       struct box box, uint32_t ink)
{
    int size = box_width(box) / STARS;

    for (int i = 0; i < STARS; i++)
        icon_draw(icon_find("star"), widget->tree->fonts, canvas,
                  (struct font_place){box.left + i * size, box.top}, size, ink);
}

/* Filled stars are drawn over empty ones. */
static void draw_rating(const struct widget *widget, struct canvas *canvas,
                        struct box box)
{
    float part = fminf(fmaxf(widget->range.value / STARS, 0), 1);
    struct box given = box;
    struct box clip;

    given.right = box.left + (int)((float)box_width(box) * part + 0.5F);
    draw_stars(widget, canvas, box, widget->theme->outline_variant);
    clip = canvas_clip(canvas, given);
    draw_stars(widget, canvas, box, STAR_INK);
    canvas->clip = clip;
}

static void begin_rating(struct widget *widget)
{
    widget->look.text_size = 16;
}

const struct widget_kind kind_rating = {
    .name = "rating",
    .class = "android.widget.RatingBar",
    .begin = begin_rating,
    .measure = measure_rating,
    .draw = draw_rating,
};

/* ---- buttons and chips: an icon beside a text ---- */

#define LABEL_ICON 18.0F
#define ALONE_ICON 24.0F /* without a text */
#define LABEL_GAP 8.0F

static const struct phone_icon *label_icon(const struct widget *widget)
{
    const unsigned chosen = WIDGET_CHECKABLE | WIDGET_CHECKED;

    if ((widget->flags & chosen) == chosen)
        return icon_find("check");
    return widget->look.icon;
}

static int label_icon_size(const struct widget *widget)
{
    return px(widget, text_is_there(widget) ? LABEL_ICON : ALONE_ICON);
}

static int label_lead(const struct widget *widget)
{
    if (!label_icon(widget))
        return 0;
    return label_icon_size(widget) +
           (text_is_there(widget) ? px(widget, LABEL_GAP) : 0);
}

static struct widget_size measure_label(struct widget *widget,
                                        struct widget_size room)
{
    int lead = label_lead(widget);
    struct widget_size size = {0, 0};

    room.width -= lead;
    if (text_is_there(widget))
        size = text_measure(widget, room);
    size.width += lead;
    return size;
}

/* Both are centered. */
static void draw_label(const struct widget *widget, struct canvas *canvas,
                       struct box box)
{
    const struct phone_icon *icon = label_icon(widget);
    struct widget copy = *widget;
    int lead = label_lead(widget);
    struct widget_size room = {box_width(box) - lead, box_height(box)};
    struct widget_size text = {0, 0};
    int size = label_icon_size(widget);

    copy.look.ink = shade(widget, widget->look.ink);
    if (text_is_there(widget))
        text = text_measure(&copy, room);
    if (widget->look.text_align == PARAGRAPH_CENTER)
        box.left += (room.width - text.width) / 2;
    if (icon)
        icon_draw(
            icon, widget->tree->fonts, canvas,
            (struct font_place){box.left, (box.top + box.bottom - size) / 2},
            size, copy.look.ink);
    box.left += lead;
    copy.look.text_align = PARAGRAPH_LEFT;
    if (text_is_there(widget))
        text_draw(&copy, canvas, box);
}

static void begin_button(struct widget *widget)
{
    widget_style_apply(widget, "filled");
    widget_style_apply(widget, "label_large");
    widget->look.radius = 20;
    widget->look.lines = 1;
    widget->look.text_align = PARAGRAPH_CENTER;
    widget->layout.height = 40;
    widget->layout.padding = (struct widget_edges){22, 0, 22, 0};
}

/* The text of a plain button has the primary colour. */
static void expand_button(struct widget *widget)
{
    struct widget_look *look = &widget->look;

    if (!look->background && look->ink == widget->theme->primary.on)
        look->ink = widget->theme->primary.base;
    if ((widget->flags & WIDGET_DISABLED) && look->background)
        look->background = color_fade(widget->theme->on_surface, 31);
    if ((widget->flags & WIDGET_DISABLED) && look->background)
        look->ink = widget->theme->on_surface;
}

const struct widget_kind kind_button = {
    .name = "button",
    .class = "android.widget.Button",
    .begin = begin_button,
    .expand = expand_button,
    .measure = measure_label,
    .draw = draw_label,
};

static void begin_chip(struct widget *widget)
{
    widget_style_apply(widget, "label_large");
    widget->look.outline = widget->theme->outline_variant;
    widget->look.ink = widget->theme->on_surface_variant;
    widget->look.radius = 8;
    widget->look.lines = 1;
    widget->look.text_align = PARAGRAPH_CENTER;
    widget->layout.height = 32;
    widget->layout.padding = (struct widget_edges){12, 0, 12, 0};
}

/* A selected chip is filled. */
static void expand_chip(struct widget *widget)
{
    if (!(widget->flags & (WIDGET_CHECKED | WIDGET_SELECTED)))
        return;
    widget_style_apply(widget, "tonal");
    widget->look.outline = 0;
}

const struct widget_kind kind_chip = {
    .name = "chip",
    .class = "android.widget.Button",
    .begin = begin_chip,
    .expand = expand_chip,
    .measure = measure_label,
    .draw = draw_label,
};

static void begin_fab(struct widget *widget)
{
    widget_style_apply(widget, "label_large");
    widget->look.background = widget->theme->primary.container;
    widget->look.ink = widget->theme->primary.on_container;
    widget->look.shadow = widget->theme->shadow;
    widget->look.radius = 16;
    widget->look.text_align = PARAGRAPH_CENTER;
    widget->layout.height = 56;
    widget->layout.padding = (struct widget_edges){16, 0, 16, 0};
}

const struct widget_kind kind_fab = {
    .name = "fab",
    .class = "android.widget.ImageButton",
    .begin = begin_fab,
    .measure = measure_label,
    .draw = draw_label,
};

static void begin_icon_button(struct widget *widget)
{
    widget->look.ink = widget->theme->on_surface_variant;
    widget->look.radius = 24;
    widget->layout.width = 48;
    widget->layout.height = 48;
    widget->layout.padding = (struct widget_edges){12, 12, 12, 12};
}

static void draw_icon_button(const struct widget *widget, struct canvas *canvas,
                             struct box box)
{
    struct widget copy = *widget;

    copy.look.ink = shade(widget, widget->look.ink);
    kind_icon.draw(&copy, canvas, box);
}

const struct widget_kind kind_icon_button = {
    .name = "icon_button",
    .class = "android.widget.ImageButton",
    .begin = begin_icon_button,
    .draw = draw_icon_button,
};

static void begin_badge(struct widget *widget)
{
    widget_style_apply(widget, "label_small");
    widget_style_apply(widget, "danger");
    widget->look.radius = 8;
    widget->look.text_align = PARAGRAPH_CENTER;
    widget->layout.height = 16;
    widget->layout.padding = (struct widget_edges){5, 0, 5, 0};
}

const struct widget_kind kind_badge = {
    .name = "badge",
    .class = "android.widget.TextView",
    .begin = begin_badge,
    .measure = measure_label,
    .draw = draw_label,
};
