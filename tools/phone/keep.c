#include "tools/phone/keep.h"

#include <string.h>

static size_t find(const struct keep *keep, uint64_t identity)
{
    size_t at = 0;

    while (at < keep->count && keep->entries[at].identity != identity)
        at++;
    return at;
}

struct widget_kept *keep_of(struct keep *keep, const struct widget *widget)
{
    size_t at = find(keep, widget->identity);
    struct keep_entry entry = {widget->identity, widget->kept};

    if (at < keep->count)
        entry = keep->entries[at];
    else if (keep->count < KEEP_MAX)
        at = keep->count++;
    else
        at = KEEP_MAX - 1;
    memmove(keep->entries + 1, keep->entries, at * sizeof(entry));
    keep->entries[0] = entry;
    return &keep->entries[0].kept;
}

/* ---- focus ---- */

/* A field of the window in use that wants to be typed in. */
static const struct widget *find_starter(const struct widget *window)
{
    const struct widget *at = window;

    while (at && !(at->flags & WIDGET_AUTOFOCUS))
        at = widget_after(at, window);
    return at;
}

static bool is_in_use(const struct widget *widget)
{
    const struct widget *active = widget_tree_active(widget->tree);

    while (widget->parent)
        widget = widget->parent;
    return widget == active;
}

static bool restore_focus(struct keep *keep, struct widget_tree *tree)
{
    const struct widget *active = widget_tree_active(tree);
    const struct widget *starter = active ? find_starter(active) : NULL;
    struct widget *field = widget_tree_find(tree, keep->focus);
    bool appeared = starter && starter->identity != keep->started;

    keep->started = starter ? starter->identity : 0;
    if (appeared)
        field = widget_tree_find(tree, starter->identity);
    if (field && is_in_use(field) && !(field->flags & WIDGET_DISABLED)) {
        field->flags |= WIDGET_FOCUSED;
        keep->focus = field->identity;
        return appeared;
    }
    keep->focus = 0;
    return false;
}

/* ---- all of it ---- */

/* The text may have become shorter than where the caret was. */
static void limit_caret(struct widget *widget)
{
    size_t length = widget->text ? strlen(widget->text) : 0;
    struct widget_kept *kept = &widget->kept;

    kept->caret = kept->caret < length ? kept->caret : length;
    kept->anchor = kept->anchor < length ? kept->anchor : length;
}

bool keep_restore(struct keep *keep, struct widget_tree *tree)
{
    for (size_t i = 0; i < keep->count; i++) {
        struct widget *widget =
            widget_tree_find(tree, keep->entries[i].identity);

        if (!widget)
            continue;
        widget->kept = keep->entries[i].kept;
        limit_caret(widget);
    }
    return restore_focus(keep, tree);
}

/* ---- snapshots ---- */

void keep_save(const struct keep *keep, struct buf *out)
{
    parcel_put_u64(out, keep->focus);
    parcel_put_u64(out, keep->started);
    parcel_put_i64(out, (int64_t)keep->count);
    for (size_t i = 0; i < keep->count; i++) {
        const struct keep_entry *entry = &keep->entries[i];

        parcel_put_u64(out, entry->identity);
        parcel_put_i64(out, entry->kept.scroll);
        parcel_put_u64(out, entry->kept.caret);
        parcel_put_u64(out, entry->kept.anchor);
    }
}

void keep_load(struct keep *keep, struct parcel *in)
{
    keep->focus = parcel_u64(in);
    keep->started = parcel_u64(in);
    keep->count = (size_t)parcel_i64(in, 0, KEEP_MAX);
    for (size_t i = 0; i < keep->count; i++) {
        struct keep_entry *entry = &keep->entries[i];

        entry->identity = parcel_u64(in);
        entry->kept.scroll = (int)parcel_i64(in, 0, WIDGET_ENDLESS);
        entry->kept.caret = parcel_u64(in);
        entry->kept.anchor = parcel_u64(in);
    }
}
