/*
 * The output of uiautomator: the tree of the active window as XML, byte for
 * byte as Android's serializer writes it.
 */
#ifndef TOOLS_PHONE_WIDGETS_UI_DUMP_H
#define TOOLS_PHONE_WIDGETS_UI_DUMP_H

#include <stdbool.h>

#include "base/buf.h"
#include "tools/phone/widgets/widget.h"

struct ui_dump_options {
    int rotation;    /* rotation in quarter turns */
    bool compressed; /* omit widgets that only lay out others */
};

/* Append the XML, up to xml's limit. */
void ui_dump_write(const struct widget_tree *tree,
                   const struct ui_dump_options *options, struct buf *xml);

#endif
