/*
 * The kinds of widgets that apps are made of. Each has a usual look, in the
 * colours of its theme, which attributes and styles change.
 */
#ifndef PHONE_KINDS_H
#define PHONE_KINDS_H

#include "tools/phone/widget.h"

/* The kind that apps call by this name; NULL for none. */
const struct widget_kind *kinds_find(const char *name);

/* ---- placing children ---- */

/* Children below, beside, or on top of each other, or in a grid. */
extern const struct widget_kind kind_column;
extern const struct widget_kind kind_row;
extern const struct widget_kind kind_stack;
extern const struct widget_kind kind_grid;

/* Children in rows, as words are in a text. */
extern const struct widget_kind kind_flow;

/*
 * More children than there is room for; with columns, they are in a grid. An
 * action is told when it is scrolled.
 */
extern const struct widget_kind kind_list;
extern const struct widget_kind kind_scroll;
extern const struct widget_kind kind_carousel; /* from left to right */
extern const struct widget_kind kind_web;      /* the parts of a web page */

/* ---- parts of a screen ---- */

/* Everything, from the status bar down. */
extern const struct widget_kind kind_page;

/* The bar on top: buttons and a title, which takes what they leave. */
extern const struct widget_kind kind_app_bar;
extern const struct widget_kind kind_title;

/* A pill with an icon and a field. */
extern const struct widget_kind kind_search_bar;

/* A row of a list: icon, text over detail, and then its children. */
extern const struct widget_kind kind_item;
extern const struct widget_kind kind_card;
extern const struct widget_kind kind_divider;

/* Children of the first are the second; one is selected. */
extern const struct widget_kind kind_tabs;
extern const struct widget_kind kind_tab;
extern const struct widget_kind kind_nav_bar; /* at the end of a page */
extern const struct widget_kind kind_nav_item;

/* A text, with a button where there is something to do about it. */
extern const struct widget_kind kind_snackbar;

/* Windows of their own, made by the functions; what they return is filled. */
extern const struct widget_kind kind_dialog;
extern const struct widget_kind kind_sheet;
struct widget *kinds_dialog(struct widget_tree *tree, const char *package);
struct widget *kinds_sheet(struct widget_tree *tree, const char *package);

/* One of a dialog's buttons: no more than a text that can be pressed. */
struct widget *kinds_text_button(struct widget *parent, const char *id,
                                 const char *text, int action);

/* ---- showing ---- */

/* Nothing but room, or a background. */
extern const struct widget_kind kind_space;

extern const struct widget_kind kind_text;
extern const struct widget_kind kind_badge;

/* The look's icon, its picture, or its art, as large as the widget. */
extern const struct widget_kind kind_icon;
extern const struct widget_kind kind_picture;
extern const struct widget_kind kind_art;

/* A text, or an icon, with an id (NULL: none), so large and of that colour. */
struct widget *kinds_text(struct widget *parent, const char *id,
                          const char *text, float size, uint32_t ink);
struct widget *kinds_icon(struct widget *parent, const char *id,
                          const struct icon *icon, float size, uint32_t ink);

/* An app as launchers show it: a round icon above the text. */
extern const struct widget_kind kind_app;

/* The value in its range; the second goes round; stars are of five. */
extern const struct widget_kind kind_progress;
extern const struct widget_kind kind_spinner;
extern const struct widget_kind kind_rating;

/* ---- using ---- */

/* An icon, a text, or both. */
extern const struct widget_kind kind_button;
extern const struct widget_kind kind_icon_button;
extern const struct widget_kind kind_fab;
extern const struct widget_kind kind_chip;

/* Checked or not; the last two have their text beside them. */
extern const struct widget_kind kind_switch;
extern const struct widget_kind kind_checkbox;
extern const struct widget_kind kind_radio;

extern const struct widget_kind kind_slider;

/* A line, or an area of lines, to type in. */
extern const struct widget_kind kind_field;
extern const struct widget_kind kind_area;

/* The position in the text of a field, in bytes, that is nearest to a point. */
size_t field_position(const struct widget *field, int x, int y);

#endif
