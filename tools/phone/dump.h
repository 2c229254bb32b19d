/*
 * What uiautomator prints: the tree of the active window as XML, byte for byte
 * in the way of Android's own serializer.
 */
#ifndef PHONE_DUMP_H
#define PHONE_DUMP_H

#include <stdbool.h>

#include "base/buf.h"
#include "tools/phone/widget.h"

struct dump_options {
    int rotation;    /* in quarter turns */
    bool compressed; /* leave out what only lays out others */
};

/* Append the XML, up to xml's limit. */
void dump_write(const struct widget_tree *tree,
                const struct dump_options *options, struct buf *xml);

#endif
