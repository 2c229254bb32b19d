/*
 * What the screen keeps of widgets while trees come and go: how far they are
 * scrolled, where the caret is, which field is typed in. A widget is known by
 * its identity. There are no pointers in here: a copy is a snapshot.
 */
#ifndef PHONE_KEEP_H
#define PHONE_KEEP_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "tools/phone/parcel.h"
#include "tools/phone/widget.h"

#define KEEP_MAX 128

struct keep_entry {
    uint64_t identity;
    struct widget_kept kept;
};

struct keep {
    struct keep_entry entries[KEEP_MAX]; /* the one used last first */
    size_t count;
    uint64_t focus;   /* the field that is typed in; 0: none */
    uint64_t started; /* the field that took the focus by appearing */
};

/* What is kept of the widget, to be changed; the oldest is forgotten for it. */
struct widget_kept *keep_of(struct keep *keep, const struct widget *widget);

/*
 * Give a complete tree what was kept, and the focus to the field that has it.
 * The focus is lost with its field, and a field that appears may take it:
 * returns true for that.
 */
bool keep_restore(struct keep *keep, struct widget_tree *tree);

void keep_save(const struct keep *keep, struct buf *out);
void keep_load(struct keep *keep, struct parcel *in);

#endif
