#include "tools/phone/widgets/widget_memory.h"

#include <string.h>

static size_t find(const struct widget_memory *widget_memory, uint64_t identity)
{
    size_t at = 0;

    while (at < widget_memory->count &&
           widget_memory->entries[at].identity != identity)
        at++;
    return at;
}

struct widget_kept *widget_memory_of(struct widget_memory *widget_memory,
                                     const struct widget *widget)
{
    size_t at = find(widget_memory, widget->identity);
    struct widget_memory_entry entry = {widget->identity, widget->kept};

    if (at < widget_memory->count)
        entry = widget_memory->entries[at];
    else if (widget_memory->count < WIDGET_MEMORY_MAX)
        at = widget_memory->count++;
    else
        at = WIDGET_MEMORY_MAX - 1;
    memmove(widget_memory->entries + 1, widget_memory->entries,
            at * sizeof(entry));
    widget_memory->entries[0] = entry;
    return &widget_memory->entries[0].kept;
}

/* ---- focus ---- */

/* A field of the active window that wants the focus. */
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

/* Take the focus from a field that is covered, or give it back. */
static void follow_windows(struct widget_memory *widget_memory,
                           struct widget_tree *tree)
{
    const struct widget *field = widget_tree_find(tree, widget_memory->focus);

    if (field && !is_in_use(field))
        widget_memory->covered = widget_memory->focus;
    field = widget_tree_find(tree, widget_memory->covered);
    if (field && !is_in_use(field))
        return;
    if (field && !widget_memory->focus)
        widget_memory->focus = widget_memory->covered;
    widget_memory->covered = 0;
}

static bool restore_focus(struct widget_memory *widget_memory,
                          struct widget_tree *tree)
{
    const struct widget *active = widget_tree_active(tree);
    const struct widget *starter = active ? find_starter(active) : NULL;
    struct widget *field;
    bool appeared = starter && starter->identity != widget_memory->started;

    follow_windows(widget_memory, tree);
    field = widget_tree_find(tree, widget_memory->focus);
    widget_memory->started = starter ? starter->identity : 0;
    if (appeared)
        field = widget_tree_find(tree, starter->identity);
    if (field && is_in_use(field) && !(field->flags & WIDGET_DISABLED)) {
        field->flags |= WIDGET_FOCUSED;
        widget_memory->focus = field->identity;
        return appeared;
    }
    widget_memory->focus = 0;
    return false;
}

/* ---- restoring ---- */

/* The text may be shorter than the saved caret. */
static void limit_caret(struct widget *widget)
{
    size_t length = widget->text ? strlen(widget->text) : 0;
    struct widget_kept *kept = &widget->kept;

    kept->caret = kept->caret < length ? kept->caret : length;
    kept->anchor = kept->anchor < length ? kept->anchor : length;
}

bool widget_memory_restore(struct widget_memory *widget_memory,
                           struct widget_tree *tree)
{
    for (size_t i = 0; i < widget_memory->count; i++) {
        struct widget *widget =
            widget_tree_find(tree, widget_memory->entries[i].identity);

        if (!widget)
            continue;
        widget->kept = widget_memory->entries[i].kept;
        limit_caret(widget);
    }
    return restore_focus(widget_memory, tree);
}

/* ---- snapshots ---- */

void widget_memory_save(const struct widget_memory *widget_memory,
                        struct buf *out)
{
    saved_state_put_u64(out, widget_memory->focus);
    saved_state_put_u64(out, widget_memory->started);
    saved_state_put_u64(out, widget_memory->covered);
    saved_state_put_i64(out, (int64_t)widget_memory->count);
    for (size_t i = 0; i < widget_memory->count; i++) {
        const struct widget_memory_entry *entry = &widget_memory->entries[i];

        saved_state_put_u64(out, entry->identity);
        saved_state_put_i64(out, entry->kept.scroll);
        saved_state_put_u64(out, entry->kept.caret);
        saved_state_put_u64(out, entry->kept.anchor);
    }
}

void widget_memory_load(struct widget_memory *widget_memory,
                        struct saved_state *in)
{
    widget_memory->focus = saved_state_u64(in);
    widget_memory->started = saved_state_u64(in);
    widget_memory->covered = saved_state_u64(in);
    widget_memory->count = (size_t)saved_state_i64(in, 0, WIDGET_MEMORY_MAX);
    for (size_t i = 0; i < widget_memory->count; i++) {
        struct widget_memory_entry *entry = &widget_memory->entries[i];

        entry->identity = saved_state_u64(in);
        entry->kept.scroll = (int)saved_state_i64(in, 0, WIDGET_ENDLESS);
        entry->kept.caret = saved_state_u64(in);
        entry->kept.anchor = saved_state_u64(in);
    }
}
