/* The kinds of widgets that every app has use for. */
#ifndef PHONE_KINDS_H
#define PHONE_KINDS_H

#include "tools/phone/widget.h"

/* Children below, beside, or on top of each other, or in a grid. */
extern const struct widget_kind kind_column;
extern const struct widget_kind kind_row;
extern const struct widget_kind kind_stack;
extern const struct widget_kind kind_grid;

/* Nothing but room, or a background. */
extern const struct widget_kind kind_space;

/* A text, or its hint where it is empty. */
extern const struct widget_kind kind_text;
extern const struct widget_kind kind_button;

/* A line of text to type in, with a caret at its end while focused. */
extern const struct widget_kind kind_field;

/* The look's icon, or its picture, as large as the widget. */
extern const struct widget_kind kind_icon;
extern const struct widget_kind kind_picture;

/* An app as launchers show it: a round icon above the text. */
extern const struct widget_kind kind_app;

/* The kind that apps call by this name; NULL for none. */
const struct widget_kind *kinds_find(const char *name);

#endif
