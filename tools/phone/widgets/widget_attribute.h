/*
 * Attributes of a widget by name, for scripts.
 *
 *     text detail description hint id key class         texts
 *     style                                             name of a style
 *     width height                                      dp, "fill" or "wrap"
 *     weight gap padding padding_left ...               dp
 *     across down                                       "start", "center", ...
 *     background outline shadow ink                     colours of the theme
 *     text_size radius lines columns font text_align
 *     icon art seed                                     names in icon.h,
 *                                                       artwork.h
 *     picture                                           name in the app
 *     value from to step                                of a slider and so on
 *     checked selected disabled password ...            true or false
 */
#ifndef TOOLS_PHONE_WIDGETS_WIDGET_ATTRIBUTE_H
#define TOOLS_PHONE_WIDGETS_WIDGET_ATTRIBUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "tools/phone/widgets/widget.h"

enum widget_attribute_type {
    WIDGET_ATTRIBUTE_BOOL,
    WIDGET_ATTRIBUTE_NUMBER,
    WIDGET_ATTRIBUTE_TEXT,
};

struct widget_attribute_value {
    enum widget_attribute_type type;
    bool yes;
    double number;
    const char *text;
};

/*
 * All names; NULL follows the last. Set attributes in this order: a style comes
 * before attributes that override it.
 */
const char *widget_attribute_name(size_t number);

/*
 * Set one. Fails with ERR_NOT_FOUND for an unknown name, or ERR_INVALID for an
 * invalid value; the widget is then unchanged.
 */
MUST_USE bool widget_attribute_set(struct widget *widget, const char *name,
                                   const struct widget_attribute_value *value,
                                   struct err *err);

/* The same for the attribute with that number, which must exist. */
MUST_USE bool widget_attribute_set_at(
    struct widget *widget, size_t number,
    const struct widget_attribute_value *value, struct err *err);

#endif
