/*
 * The content of the screen: one tree of widgets, used for drawing, for hit
 * testing, and for the tree that uiautomator prints.
 *
 * A tree is built from an app's state, laid out, used, and freed when the state
 * changes. Its first level are windows, the lowest first. A widget's kind
 * defines its defaults, measuring, layout and drawing; to add one, write
 * another struct widget_kind and add it to the table in widget_kinds.c.
 */
#ifndef TOOLS_PHONE_WIDGETS_WIDGET_H
#define TOOLS_PHONE_WIDGETS_WIDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/picture/box.h"
#include "base/picture/canvas.h"
#include "tools/phone/graphics/artwork.h"
#include "tools/phone/graphics/font.h"
#include "tools/phone/graphics/icon.h"
#include "tools/phone/graphics/paragraph.h"
#include "tools/phone/graphics/theme.h"

struct widget;

struct widget_size {
    int width;
    int height;
};

/* Functions may be NULL. Sizes and boxes are without padding. */
struct widget_kind {
    const char *name;  /* its name in apps */
    const char *class; /* its class in Android */

    /* Set the default style and layout of a new widget. */
    void (*begin)(struct widget *widget);

    /* The tree is built: turn attributes into children. */
    void (*expand)(struct widget *widget);

    /* The size of the content, for the given room. */
    struct widget_size (*measure)(struct widget *widget,
                                  struct widget_size room);

    /* Lay out the children in box. */
    void (*arrange)(struct widget *widget, struct box box);

    /* Draw the content, below the children. */
    void (*draw)(const struct widget *widget, struct canvas *canvas,
                 struct box box);
};

enum widget_flag {
    WIDGET_CLICKABLE = 1 << 0,
    WIDGET_LONG_CLICKABLE = 1 << 1,
    WIDGET_CHECKABLE = 1 << 2,
    WIDGET_CHECKED = 1 << 3,
    WIDGET_FOCUSABLE = 1 << 4,
    WIDGET_FOCUSED = 1 << 5,
    WIDGET_SCROLLABLE = 1 << 6,
    WIDGET_PASSWORD = 1 << 7,
    WIDGET_SELECTED = 1 << 8,
    WIDGET_DISABLED = 1 << 9,
    WIDGET_PRESSED = 1 << 10,   /* a finger presses it */
    WIDGET_CLIPS = 1 << 11,     /* children are clipped to its bounds */
    WIDGET_DIALOG = 1 << 12,    /* a window that darkens those below it */
    WIDGET_PASSIVE = 1 << 13,   /* a window that is never the active one */
    WIDGET_SHEET = 1 << 14,     /* a window at the bottom of the screen */
    WIDGET_SIDEWAYS = 1 << 15,  /* it scrolls horizontally */
    WIDGET_EDITABLE = 1 << 16,  /* its text is editable */
    WIDGET_LINES = 1 << 17,     /* with several lines */
    WIDGET_AUTOFOCUS = 1 << 18, /* gets the focus when it appears */
    WIDGET_SLIDES = 1 << 19,    /* a finger changes its value */
    WIDGET_SHADE = 1 << 20,     /* a window at the top of the screen */
};

/* Widths and heights that are no number of dp. */
#define WIDGET_WRAP 0.0F    /* the size of the content */
#define WIDGET_FILL (-1.0F) /* the size that the parent allows */

enum widget_align {
    WIDGET_START,
    WIDGET_CENTER,
    WIDGET_END,
    WIDGET_SPREAD, /* space between children only */
};

struct widget_edges {
    float left, top, right, bottom;
};

/* All in dp. */
struct widget_layout {
    float width;
    float height;
    float weight; /* its share of the free space in a row or column */
    struct widget_edges padding;
    float gap;                      /* space between children */
    enum widget_align across, down; /* alignment of children */
    int columns;                    /* number of columns of a grid */
};

/* Colours with alpha 0 are not drawn. Lengths are dp. */
struct widget_look {
    uint32_t background;
    uint32_t outline;
    uint32_t shadow;
    float radius;
    uint32_t ink; /* colour of text and icons */
    float text_size;
    enum font_weight weight;
    enum paragraph_align text_align;
    int lines; /* maximum number; 0: no limit */
    const struct phone_icon *icon;
    const struct picture *picture; /* borrowed */
    const struct artwork *artwork;
    int seed; /* seed of the art */
};

/* The value of a slider, progress or rating. If to is 0, it is 1. */
struct widget_range {
    float value, from, to;
    float step; /* 0: continuous */
};

/* State of a widget that outlives its tree. */
struct widget_kept {
    int scroll;    /* scroll offset in pixels */
    size_t caret;  /* caret in the text of a field, in bytes */
    size_t anchor; /* the other end of the selection; equal to the caret if
                      there is none */
};

struct widget_tree;

struct widget {
    const struct widget_kind *kind;
    struct widget_tree *tree;
    const struct phone_theme *theme; /* borrowed; from the parent */
    struct widget *parent;
    struct widget *first;
    struct widget *last;
    struct widget *next;
    struct widget *previous;
    struct widget *made_before; /* for freeing */
    int depth;

    char *class;   /* in place of the kind's; owned, as the next seven */
    char *package; /* title of a window */
    char *key;     /* identifies it among its siblings in every tree; or NULL */
    char *id;      /* such as "com.android.settings:id/title" */
    char *text;
    char *description;
    char *detail; /* a longer description than the text */
    char *hint;   /* shown while the text is empty */
    unsigned flags;

    int action; /* sent to the app; 0: none */
    int64_t argument;

    struct widget_layout layout;
    struct widget_look look;
    struct widget_range range;
    struct widget_kept kept;
    uint64_t identity; /* identity: the same in every tree */
    struct widget_size wanted;
    struct widget_size room; /* the room that it was measured for */
    bool measured;
    int scroll_most;   /* pixels that it can be scrolled by */
    struct box bounds; /* position on the screen */
};

struct widget_tree {
    struct phone_fonts *fonts; /* borrowed */
    float scale;               /* pixels per dp */
    float text_scale;          /* font scale for apps */
    struct widget_size size;
    const struct phone_theme
        *theme;           /* borrowed; the theme of windows without their own */
    struct widget *first; /* the last window */
    struct widget *last;
    struct widget *newest; /* owned, with all made before it */
    size_t count;
    struct widget_edges
        insets;   /* dp at the edges that are covered by system bars */
    int keyboard; /* pixels at the bottom that it covers */
    /* Pictures of the app by name; NULL: it has none. */
    const struct picture *(*find_picture)(void *pictures, const char *name);
    void *pictures; /* borrowed */
    uint32_t run;   /* hash of the app: another app has other widget states */
};

/* For a screen of that size in pixels, at density dots per inch. */
void widget_tree_init(struct widget_tree *tree, struct phone_fonts *fonts,
                      const struct phone_theme *theme, struct widget_size size,
                      int density);
void widget_tree_release(struct widget_tree *tree);

/* A new window above the others, which covers the screen. */
struct widget *widget_window(struct widget_tree *tree, const char *package);

/* A new last child. */
struct widget *widget_new(struct widget *parent,
                          const struct widget_kind *kind);

/*
 * Texts are copied. An id is in the window's package ("title"), unless it names
 * another ("android:id/content").
 */
void widget_set_id(struct widget *widget, const char *id);
void widget_set_class(struct widget *widget, const char *class);
void widget_set_text(struct widget *widget, const char *text);
void widget_set_description(struct widget *widget, const char *description);
void widget_set_detail(struct widget *widget, const char *detail);
void widget_set_hint(struct widget *widget, const char *hint);
void widget_set_key(struct widget *widget, const char *key);

/* Make it clickable; the app gets this action. */
void widget_set_action(struct widget *widget, int action, int64_t argument);

/* Convert dp to pixels. */
int widget_px(const struct widget_tree *tree, float dp);

/* ---- using a tree ---- */

/*
 * The windows are complete: let kinds expand attributes, and assign identities.
 * These are derived from the keys from the window down; without a key, from the
 * id or kind and the number of such siblings before.
 */
void widget_tree_complete(struct widget_tree *tree);

/* Lay out all widgets; completes the tree first. */
void widget_tree_arrange(struct widget_tree *tree);

void widget_tree_draw(const struct widget_tree *tree, struct canvas *canvas);

/* The visible part of the bounds. */
struct box widget_visible(const struct widget *widget);

/* The widget that a touch at this point presses; NULL if there is none. */
struct widget *widget_tree_hit(const struct widget_tree *tree, int x, int y);

/*
 * The widget that a drag at this point scrolls vertically or horizontally; or
 * NULL.
 */
struct widget *widget_tree_scroller(const struct widget_tree *tree, int x,
                                    int y, bool sideways);

/* The widget of this identity; NULL if there is none. */
struct widget *widget_tree_find(const struct widget_tree *tree,
                                uint64_t identity);

/* The active window, which uiautomator sees; NULL if there is none. */
const struct widget *widget_tree_active(const struct widget_tree *tree);

/* The next one in drawing order within root; NULL at the end. */
const struct widget *widget_after(const struct widget *widget,
                                  const struct widget *root);

/* ---- for kinds ---- */

/* Unlimited room, for measuring what scrolls. */
#define WIDGET_ENDLESS (1 << 24)

/* Is this room unlimited, also after subtracting padding? */
static inline bool widget_is_endless(int room)
{
    return room > WIDGET_ENDLESS / 2;
}

/* A new first child. */
struct widget *widget_new_first(struct widget *parent,
                                const struct widget_kind *kind);

void widget_measure(struct widget *widget, struct widget_size room);
void widget_arrange(struct widget *widget, struct box box);

/* Its bounds without the padding. */
struct box widget_content(const struct widget *widget);

/* The position of the value in its range, 0 to 1; and the value of a point. */
float widget_range_part(const struct widget *widget);
float widget_range_at(const struct widget *widget, int x);

/* The font of its style. */
struct phone_font widget_font(const struct widget *widget);

#endif
