/* Shared by the files of widget kinds. */
#ifndef TOOLS_PHONE_WIDGETS_WIDGET_KINDS_PRIVATE_H
#define TOOLS_PHONE_WIDGETS_WIDGET_KINDS_PRIVATE_H

#include "tools/phone/widgets/widget.h"

/* ---- widget_kinds_layout.c ---- */

struct widget_size column_measure(struct widget *widget,
                                  struct widget_size room);
void column_arrange(struct widget *widget, struct box box);

struct widget_size row_measure(struct widget *widget, struct widget_size room);
void row_arrange(struct widget *widget, struct box box);

struct widget_size scroller_measure(struct widget *widget,
                                    struct widget_size room);
void scroller_arrange(struct widget *widget, struct box box);

/* ---- kinds.c ---- */

bool text_is_there(const struct widget *widget);
struct widget_size text_measure(struct widget *widget, struct widget_size room);
void text_draw(const struct widget *widget, struct canvas *canvas,
               struct box box);

#endif
