/* The kinds of widgets that every app has use for. */
#ifndef PHONE_KINDS_H
#define PHONE_KINDS_H

#include "tools/phone/widget.h"

/* Children below, beside, or on top of each other, or in a grid. */
extern const struct widget_kind kind_column;
extern const struct widget_kind kind_row;
extern const struct widget_kind kind_stack;
extern const struct widget_kind kind_grid;

/* The same, for more than there is room for. */
extern const struct widget_kind kind_list;
extern const struct widget_kind kind_scroll;
extern const struct widget_kind kind_carousel; /* from left to right */

/* Children in rows, as words are in a text. */
extern const struct widget_kind kind_flow;

/* Nothing but room, or a background. */
extern const struct widget_kind kind_space;

/* A text, or its hint where it is empty. */
extern const struct widget_kind kind_text;
extern const struct widget_kind kind_button;

/* A line, or an area of lines, to type in. */
extern const struct widget_kind kind_field;
extern const struct widget_kind kind_area;

/* The position in the text of a field, in bytes, that is nearest to a point. */
size_t field_position(const struct widget *field, int x, int y);

/* The look's icon, or its picture, as large as the widget. */
extern const struct widget_kind kind_icon;
extern const struct widget_kind kind_picture;

/* An app as launchers show it: a round icon above the text. */
extern const struct widget_kind kind_app;

/* The kind that apps call by this name; NULL for none. */
const struct widget_kind *kinds_find(const char *name);

#endif
