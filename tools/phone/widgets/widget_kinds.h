/*
 * The kinds of widgets for apps. Each has a default style in the colours of its
 * theme, which attributes and styles change.
 */
#ifndef TOOLS_PHONE_WIDGETS_WIDGET_KINDS_H
#define TOOLS_PHONE_WIDGETS_WIDGET_KINDS_H

#include "tools/phone/widgets/widget.h"

/* The kind of this name; NULL if there is none. */
const struct widget_kind *widget_kinds_find(const char *name);

/* ---- layouts ---- */

/* Children below, beside, or on top of each other, or in a grid. */
extern const struct widget_kind kind_column;
extern const struct widget_kind kind_row;
extern const struct widget_kind kind_stack;
extern const struct widget_kind kind_grid;

/* Children in rows, wrapped like text. */
extern const struct widget_kind kind_flow;

/*
 * A scrollable list; with columns, a grid. If it has an action, scrolling sends
 * an event.
 */
extern const struct widget_kind kind_list;
extern const struct widget_kind kind_scroll;
extern const struct widget_kind kind_carousel; /* from left to right */
extern const struct widget_kind kind_web;      /* the parts of a web page */

/* ---- parts of a screen ---- */

/* The whole screen below the status bar. */
extern const struct widget_kind kind_page;

/* The top bar: buttons and a title, which gets the remaining width. */
extern const struct widget_kind kind_app_bar;
extern const struct widget_kind kind_title;

/* A rounded box with an icon and a field. */
extern const struct widget_kind kind_search_bar;

/* An item of a list: icon, text over detail, then its children. */
extern const struct widget_kind kind_item;
extern const struct widget_kind kind_card;
extern const struct widget_kind kind_divider;

/* Tabs and their bar; one is selected. */
extern const struct widget_kind kind_tabs;
extern const struct widget_kind kind_tab;
extern const struct widget_kind kind_nav_bar; /* at the bottom of a page */
extern const struct widget_kind kind_nav_item;

/* A message, with an optional button. */
extern const struct widget_kind kind_snackbar;

/* Separate windows, created by the functions; add content to the result. */
extern const struct widget_kind kind_dialog;
extern const struct widget_kind kind_sheet;
struct widget *widget_kinds_dialog(struct widget_tree *tree,
                                   const char *package);
struct widget *widget_kinds_sheet(struct widget_tree *tree,
                                  const char *package);

/* A button of a dialog: a text that can be pressed. */
struct widget *widget_kinds_text_button(struct widget *parent, const char *id,
                                        const char *text, int action);

/* ---- content ---- */

/* Empty space, or a background. */
extern const struct widget_kind kind_space;

extern const struct widget_kind kind_text;
extern const struct widget_kind kind_badge;

/* The style's icon, picture or art, in the size of the widget. */
extern const struct widget_kind kind_icon;
extern const struct widget_kind kind_picture;
extern const struct widget_kind kind_art;

/* Create a text or an icon with an id (NULL: none), a size and a colour. */
struct widget *widget_kinds_text(struct widget *parent, const char *id,
                                 const char *text, float size, uint32_t ink);
struct widget *widget_kinds_icon(struct widget *parent, const char *id,
                                 const struct phone_icon *icon, float size,
                                 uint32_t ink);

/* An app as launchers show it: a round icon above its name. */
extern const struct widget_kind kind_app;

/* A value in its range: bar, circle, and five stars. */
extern const struct widget_kind kind_progress;
extern const struct widget_kind kind_spinner;
extern const struct widget_kind kind_rating;

/* ---- controls ---- */

/* An icon, a text, or both. */
extern const struct widget_kind kind_button;
extern const struct widget_kind kind_icon_button;
extern const struct widget_kind kind_fab;
extern const struct widget_kind kind_chip;

/* Checked or not; the last two have a text beside them. */
extern const struct widget_kind kind_switch;
extern const struct widget_kind kind_checkbox;
extern const struct widget_kind kind_radio;

extern const struct widget_kind kind_slider;

/* A line, or several lines, of editable text. */
extern const struct widget_kind kind_field;
extern const struct widget_kind kind_area;

/* The offset in the text of a field, in bytes, nearest to a point. */
size_t field_position(const struct widget *field, int x, int y);

#endif
