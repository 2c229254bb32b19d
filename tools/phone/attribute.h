/*
 * What can be set of a widget, by name, so that scripts can set it.
 *
 *     text detail description hint id key class         texts
 *     style                                             a look by its name
 *     width height                                      dp, "fill" or "wrap"
 *     weight gap padding padding_left ...               dp
 *     across down                                       "start", "center", ...
 *     background outline shadow ink                     colours of the theme
 *     text_size radius lines columns font text_align
 *     icon art seed                                     names in icon.h, art.h
 *     value from to step                                of a slider and so on
 *     checked selected disabled password ...            true or false
 */
#ifndef PHONE_ATTRIBUTE_H
#define PHONE_ATTRIBUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "tools/phone/widget.h"

enum attribute_type {
    ATTRIBUTE_BOOL,
    ATTRIBUTE_NUMBER,
    ATTRIBUTE_TEXT,
};

struct attribute_value {
    enum attribute_type type;
    bool yes;
    double number;
    const char *text;
};

/*
 * All names, NULL behind the last. Set what is given in this order: a style
 * comes before what differs from it.
 */
const char *attribute_name(size_t number);

/*
 * Set one. Fails with ERR_NOT_FOUND for a name that is none, and with
 * ERR_INVALID for a value that it cannot have; the widget is then as it was.
 */
MUST_USE bool attribute_set(struct widget *widget, const char *name,
                            const struct attribute_value *value,
                            struct err *err);

#endif
