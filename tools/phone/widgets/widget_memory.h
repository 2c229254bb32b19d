/*
 * State of widgets that outlives their trees: scroll offsets, carets, the
 * focused field. A widget is identified by its identity. There are no pointers:
 * a copy is a snapshot.
 */
#ifndef TOOLS_PHONE_WIDGETS_WIDGET_MEMORY_H
#define TOOLS_PHONE_WIDGETS_WIDGET_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "tools/phone/core/saved_state.h"
#include "tools/phone/widgets/widget.h"

#define WIDGET_MEMORY_MAX 128

struct widget_memory_entry {
    uint64_t identity;
    struct widget_kept kept;
};

struct widget_memory {
    struct widget_memory_entry
        entries[WIDGET_MEMORY_MAX]; /* the most recently used first */
    size_t count;
    uint64_t focus;   /* the focused field; 0: none */
    uint64_t started; /* the field that got the focus by appearing */
    uint64_t covered; /* the field that had it until a window came above it */
};

/*
 * The saved state of a widget, for changing; the oldest one is dropped to make
 * room.
 */
struct widget_kept *widget_memory_of(struct widget_memory *widget_memory,
                                     const struct widget *widget);

/*
 * Restore the state of all widgets of a complete tree, and the focus. The focus
 * is lost with its field, and a new field may take it: true in that case. While
 * another window is above, there is no focus; then the field has it again.
 */
bool widget_memory_restore(struct widget_memory *widget_memory,
                           struct widget_tree *tree);

void widget_memory_save(const struct widget_memory *widget_memory,
                        struct buf *out);
void widget_memory_load(struct widget_memory *widget_memory,
                        struct saved_state *in);

#endif
