/* Looks by name: "title_large" for a text, "tonal" for a button, and so on. */
#ifndef PHONE_STYLE_H
#define PHONE_STYLE_H

#include <stdbool.h>

#include "base/macros.h"
#include "tools/phone/widget.h"

/* Give the widget this look, in the colours of its theme. False: no such. */
MUST_USE bool style_set(struct widget *widget, const char *name);

/* The same, for a name that is known to be one. */
void style_use(struct widget *widget, const char *name);

#endif
