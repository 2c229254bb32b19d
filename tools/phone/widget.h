/*
 * What is on the screen: one tree of widgets, which gives the pixels, the
 * answer to "what is at this point", and the tree that uiautomator prints.
 *
 * A tree is built whole from an app's state, laid out, used, and thrown away
 * when the state changes. Its first level are windows, the lowest first. A
 * widget's kind says how it begins, is measured, laid out and drawn; to add
 * one, write another struct widget_kind and name it in kinds.c.
 */
#ifndef PHONE_WIDGET_H
#define PHONE_WIDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/box.h"
#include "base/canvas.h"
#include "tools/phone/art.h"
#include "tools/phone/font.h"
#include "tools/phone/icon.h"
#include "tools/phone/paragraph.h"
#include "tools/phone/theme.h"

struct widget;

struct widget_size {
    int width;
    int height;
};

/* Functions that are NULL have nothing to do. Sizes and boxes: no padding. */
struct widget_kind {
    const char *name;  /* as apps call it */
    const char *class; /* as Android calls it */

    /* Give a new one its usual look and layout. */
    void (*begin)(struct widget *widget);

    /* The tree is built: turn what was set into children. */
    void (*expand)(struct widget *widget);

    /* What the content wants, given so much room. */
    struct widget_size (*measure)(struct widget *widget,
                                  struct widget_size room);

    /* Place the children in box. */
    void (*arrange)(struct widget *widget, struct box box);

    /* Draw the content, which the children then cover. */
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
    WIDGET_PRESSED = 1 << 10,   /* a finger is on it */
    WIDGET_CLIPS = 1 << 11,     /* children show within its bounds only */
    WIDGET_DIALOG = 1 << 12,    /* a window that darkens those below it */
    WIDGET_PASSIVE = 1 << 13,   /* a window that is never the active one */
    WIDGET_SHEET = 1 << 14,     /* a window that stands at the bottom */
    WIDGET_SIDEWAYS = 1 << 15,  /* it scrolls from left to right */
    WIDGET_EDITABLE = 1 << 16,  /* its text is typed */
    WIDGET_LINES = 1 << 17,     /* and may have several lines */
    WIDGET_AUTOFOCUS = 1 << 18, /* typed from when it appears */
    WIDGET_SLIDES = 1 << 19,    /* a finger changes its value */
};

/* A width or height that is not a number of dp. */
#define WIDGET_WRAP 0.0F    /* as large as the content */
#define WIDGET_FILL (-1.0F) /* as large as the parent lets it be */

enum widget_align {
    WIDGET_START,
    WIDGET_CENTER,
    WIDGET_END,
    WIDGET_SPREAD, /* the first at the start, the last at the end */
};

struct widget_edges {
    float left, top, right, bottom;
};

/* All in dp. */
struct widget_layout {
    float width;
    float height;
    float weight; /* its share of what its row or column has left */
    struct widget_edges padding;
    float gap;                      /* between children */
    enum widget_align across, down; /* where children go when there is room */
    int columns;                    /* of a grid */
};

/* Colours with no alpha are not drawn. Lengths are dp. */
struct widget_look {
    uint32_t background;
    uint32_t outline;
    uint32_t shadow;
    float radius;
    uint32_t ink; /* of text and icons */
    float text_size;
    enum font_weight weight;
    enum paragraph_align text_align;
    int lines; /* at most; 0: any number */
    const struct icon *icon;
    const struct picture *picture; /* borrowed */
    const struct art *art;
    int seed; /* of the art */
};

/* What a slider, a progress or stars show. A to of 0 is 1. */
struct widget_range {
    float value, from, to;
    float step; /* 0: any value in between */
};

/* What the screen keeps of a widget while trees come and go. */
struct widget_kept {
    int scroll;    /* pixels that are out of sight at the top, or the left */
    size_t caret;  /* in the text of a field, in bytes */
    size_t anchor; /* the other end of the selection; the caret if none */
};

struct widget_tree;

struct widget {
    const struct widget_kind *kind;
    struct widget_tree *tree;
    const struct theme *theme; /* borrowed; as the parent's */
    struct widget *parent;
    struct widget *first;
    struct widget *last;
    struct widget *next;
    struct widget *previous;
    struct widget *made_before; /* for freeing */
    int depth;

    char *class;   /* instead of the kind's; owned, as the next seven are */
    char *package; /* of a window */
    char *key;     /* tells it from its siblings in every tree; or NULL */
    char *id;      /* such as "com.android.settings:id/title" */
    char *text;
    char *description;
    char *detail; /* what the text says, at more length */
    char *hint;   /* shown in place of an empty text */
    unsigned flags;

    int action; /* what the app is told when it is used; 0: nothing */
    int64_t argument;

    struct widget_layout layout;
    struct widget_look look;
    struct widget_range range;
    struct widget_kept kept;
    uint64_t identity; /* the same in every tree */
    struct widget_size wanted;
    struct widget_size room; /* that it was measured for */
    bool measured;
    int scroll_most;   /* pixels that it can be scrolled by */
    struct box bounds; /* on the screen */
};

struct widget_tree {
    struct fonts *fonts; /* borrowed */
    float scale;         /* pixels per dp */
    float text_scale;    /* what texts of apps are enlarged by */
    struct widget_size size;
    const struct theme *theme; /* borrowed; of windows that have no other */
    struct widget *first;      /* window */
    struct widget *last;
    struct widget *newest; /* owned, with all made before it */
    size_t count;
    struct widget_edges insets; /* dp at the edges that are the system's */
    int keyboard; /* pixels at the bottom that it takes from the others */
    uint32_t run; /* of the app: in another one nothing is as it was left */
};

/* For a screen of that size in pixels, at density dots per inch. */
void widget_tree_init(struct widget_tree *tree, struct fonts *fonts,
                      const struct theme *theme, struct widget_size size,
                      int density);
void widget_tree_release(struct widget_tree *tree);

/* A new window, which covers the screen and stands above the others. */
struct widget *widget_window(struct widget_tree *tree, const char *package);

/* A new last child. */
struct widget *widget_new(struct widget *parent,
                          const struct widget_kind *kind);

/*
 * Texts are copied. An id is of the window's package, as "title" is, unless it
 * names another, as "android:id/content" does.
 */
void widget_set_id(struct widget *widget, const char *id);
void widget_set_class(struct widget *widget, const char *class);
void widget_set_text(struct widget *widget, const char *text);
void widget_set_description(struct widget *widget, const char *description);
void widget_set_detail(struct widget *widget, const char *detail);
void widget_set_hint(struct widget *widget, const char *hint);
void widget_set_key(struct widget *widget, const char *key);

/* It can be pressed, and the app is told this when it is. */
void widget_set_action(struct widget *widget, int action, int64_t argument);

/* Pixels of so many dp. */
int widget_px(const struct widget_tree *tree, float dp);

/* ---- use ---- */

/*
 * No more is added to the windows that are there: let kinds expand what was
 * set, and give identities. They are made of the keys from the window down;
 * without a key, of the id or the kind, and how many such siblings precede.
 */
void widget_tree_complete(struct widget_tree *tree);

/* Give every widget its bounds; completes the tree, too. */
void widget_tree_arrange(struct widget_tree *tree);

void widget_tree_draw(const struct widget_tree *tree, struct canvas *canvas);

/* The part of the bounds that is not clipped away. */
struct box widget_visible(const struct widget *widget);

/* The widget that a finger at this point presses; NULL for none. */
struct widget *widget_tree_hit(const struct widget_tree *tree, int x, int y);

/* What a finger at this point scrolls up and down, or sideways; or NULL. */
struct widget *widget_tree_scroller(const struct widget_tree *tree, int x,
                                    int y, bool sideways);

/* The widget of this identity; NULL for none. */
struct widget *widget_tree_find(const struct widget_tree *tree,
                                uint64_t identity);

/* The window that is in use: what uiautomator sees. NULL for none. */
const struct widget *widget_tree_active(const struct widget_tree *tree);

/* The next in the order of drawing, within root; NULL at the end. */
const struct widget *widget_after(const struct widget *widget,
                                  const struct widget *root);

/* ---- for kinds ---- */

/* A length to measure with that has no end: what is scrolled has this room. */
#define WIDGET_ENDLESS (1 << 24)

/* Is this room, or what padding left of it, without end? */
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

/* How much of the range its value is, 0 to 1; and the value at a point. */
float widget_range_part(const struct widget *widget);
float widget_range_at(const struct widget *widget, int x);

/* The font of its look. */
struct font widget_font(const struct widget *widget);

#endif
