/* Styles by name: "title_large" for a text, "tonal" for a button, and so on. */
#ifndef TOOLS_PHONE_WIDGETS_WIDGET_STYLE_H
#define TOOLS_PHONE_WIDGETS_WIDGET_STYLE_H

#include <stdbool.h>

#include "base/macros.h"
#include "tools/phone/widgets/widget.h"

/* Apply this style, in the colours of its theme. False if there is none. */
MUST_USE bool widget_style_set(struct widget *widget, const char *name);

/* The same, for a name that is known to exist. */
void widget_style_apply(struct widget *widget, const char *name);

#endif
