#include "process_provider/summarize/summarize_offline.h"

#include <string.h>

#include "base/buf.h"
#include "process_provider/describe/node_context.h"
#include "process_provider/describe/node_label.h"
#include "process_provider/diff/tree_diff.h"

/* The maximum number of names listed, and of changes described. */
#define NAMES_MAX 3
#define CHANGES_MAX 3
/* Changes that are looked at for a name; real screens have fewer. */
#define CHANGES_TRIED 500

/* Screens with a smaller share of equal nodes are different screens. */
#define SAME_SCREEN 0.4

/* A part of the screen's height: windows that begin lower are sheets. */
#define SHEET_TOP 0.15

/* The same: where the status bar ends, at most. */
#define STATUS_BAR 0.045

/*
 * The line under construction. A piece that does not fit is left out as a
 * whole.
 */
struct summary_line {
    const struct summarize_view *view;
    struct tree_diff diff;
    bool compared; /* diff is of both trees */
    const struct description *what;
    struct buf line;
    bool has_effect; /* one was written */
};

/* ---- names ---- */

/* Readable names from a tree, each once. */
struct names {
    struct phrase found[NAMES_MAX];
    size_t count;
    bool more;
};

static void add_name(struct names *names, const struct tree_node *node)
{
    struct phrase name;

    if (!node_label_own(node, &name) || !phrase_readable(name.text))
        return;
    for (size_t i = 0; i < names->count; i++) {
        if (!strcmp(names->found[i].text, name.text))
            return;
    }
    if (names->count == NAMES_MAX) {
        names->more = true;
        return;
    }
    names->found[names->count++] = name;
}

/* "'A', 'B' and more" */
static void tell_names(struct summary_line *telling, const struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        buf_printf(&telling->line, "%s'%s'", i ? ", " : "",
                   names->found[i].text);
    if (names->more)
        buf_text(&telling->line, " and more");
}

/* Begin the description of an effect. */
static void begin(struct summary_line *telling)
{
    buf_text(&telling->line, telling->has_effect ? ", " : "; ");
    telling->has_effect = true;
}

/* ---- another app, another screen ---- */

static struct names names_of_screen(const struct tree *tree)
{
    struct names names = {.count = 0};

    for (uint32_t i = 0; i < tree->count && !names.more; i++)
        add_name(&names, &tree->nodes[i]);
    return names;
}

/* ", with 'A', 'B' and more": the texts of a screen without a title. */
static void tell_shown(struct summary_line *telling, const struct tree *tree)
{
    struct names names = names_of_screen(tree);

    if (names.count) {
        buf_text(&telling->line, ", with ");
        tell_names(telling, &names);
    }
}

static bool tell_app(struct summary_line *telling)
{
    const struct summarize_view *view = telling->view;
    struct phrase before;
    struct phrase after;
    struct phrase title;

    if (!node_context_app(view->before.tree, TREE_NONE, &before) ||
        !node_context_app(view->after, TREE_NONE, &after) ||
        !strcmp(before.text, after.text))
        return false;
    begin(telling);
    buf_printf(&telling->line, "%s opened", after.text);
    if (node_context_screen(view->after, &title))
        buf_printf(&telling->line, ", screen '%s'", title.text);
    else
        tell_shown(telling, view->after);
    return true;
}

/* A node that only took the place of another does not count as equal. */
static bool is_same_screen(const struct tree_diff *diff)
{
    uint32_t both = diff->of_before + diff->of_after;
    uint32_t same = diff->matched;

    for (size_t i = 0; i < diff->count; i++)
        same -= diff->changes[i].kind == CHANGE_TEXT && same > 0;
    return !both || 2.0 * same / both >= SAME_SCREEN;
}

/* Is the node in the other tree, at the same height? What has an id may have
 * become wider or moved sideways. */
static bool is_still_there(const struct tree_node *node,
                           const struct tree *other)
{
    for (uint32_t i = 0; i < other->count; i++) {
        const struct tree_node *one = &other->nodes[i];

        if (!strcmp(one->class_name, node->class_name) &&
            !strcmp(one->id, node->id) && one->bounds.top == node->bounds.top &&
            (one->bounds.left == node->bounds.left || *one->id))
            return true;
    }
    return false;
}

/* A filter that was switched is still there, whatever it did to the list. */
static bool is_filter(const struct summary_line *telling)
{
    const struct summarize_view *view = telling->view;
    const struct description *what = telling->what;

    return what->touches && what->toggles && what->target.node != TREE_NONE &&
           is_still_there(&view->before.tree->nodes[what->target.node],
                          view->after);
}

/* The scrolled list is still there, with other content. */
static bool is_scrolled(const struct summary_line *telling)
{
    const struct summarize_view *view = telling->view;
    const struct tree *tree = view->before.tree;

    if (!action_is_gesture(view->action->kind) ||
        action_is_tap(view->action->kind))
        return false;
    for (uint32_t i = 0; i < tree->count; i++) {
        if (tree->nodes[i].flags & NODE_SCROLLABLE)
            return is_still_there(&tree->nodes[i], view->after);
    }
    return false;
}

static bool tell_screen(struct summary_line *telling)
{
    const struct summarize_view *view = telling->view;
    struct phrase before = {.text = ""};
    struct phrase title;

    if (is_same_screen(&telling->diff) || is_filter(telling) ||
        is_scrolled(telling))
        return false;
    (void)node_context_screen(view->before.tree, &before);
    begin(telling);
    if (node_context_screen(view->after, &title) &&
        strcmp(title.text, before.text) != 0) {
        buf_printf(&telling->line, "the screen '%s' opened", title.text);
        return true;
    }
    buf_text(&telling->line, "another screen opened");
    tell_shown(telling, view->after);
    return true;
}

/* ---- dialogs and sheets ---- */

/* The elements that appeared or disappeared with a window over the screen. */
struct overlay {
    struct names names;
    struct tree_rect bounds;
    bool found;
};

static void widen(struct tree_rect *bounds, const struct tree_rect *by)
{
    bounds->left = by->left < bounds->left ? by->left : bounds->left;
    bounds->top = by->top < bounds->top ? by->top : bounds->top;
    bounds->right = by->right > bounds->right ? by->right : bounds->right;
    bounds->bottom = by->bottom > bounds->bottom ? by->bottom : bounds->bottom;
}

static struct overlay find_overlay(const struct tree *tree,
                                   const struct tree_diff *diff,
                                   enum tree_change_kind kind)
{
    struct overlay overlay = {.found = false};

    for (size_t i = 0; i < diff->count; i++) {
        const struct tree_change *change = &diff->changes[i];
        uint32_t node =
            kind == CHANGE_APPEARED ? change->after : change->before;

        if (change->kind != kind || change->by_scroll ||
            !node_context_is_dialog(tree, node))
            continue;
        if (!overlay.found)
            overlay.bounds = tree->nodes[node].bounds;
        overlay.found = true;
        widen(&overlay.bounds, &tree->nodes[node].bounds);
        add_name(&overlay.names, &tree->nodes[node]);
    }
    return overlay;
}

/* A window at the bottom of the screen is a sheet. */
static const char *overlay_word(const struct tree *tree,
                                const struct overlay *overlay)
{
    struct tree_rect screen = tree_screen(tree);
    double height = screen.bottom - screen.top;
    bool low = overlay->bounds.top - screen.top > SHEET_TOP * height;
    bool reaches = screen.bottom - overlay->bounds.bottom < height / 10;

    return low && reaches ? "sheet" : "dialog";
}

static bool tell_overlay(struct summary_line *telling, const struct tree *tree,
                         enum tree_change_kind kind)
{
    struct overlay overlay = find_overlay(tree, &telling->diff, kind);
    bool opened = kind == CHANGE_APPEARED;

    if (!overlay.found || !overlay.names.count)
        return false;
    begin(telling);
    buf_printf(&telling->line, "%s %s with ", opened ? "a" : "the",
               overlay_word(tree, &overlay));
    tell_names(telling, &overlay.names);
    buf_text(&telling->line, opened ? " opened" : " closed");
    return true;
}

/* The box around all windows of a tree. */
static struct tree_rect windows_of(const struct tree *tree)
{
    struct tree_rect bounds = tree->nodes[0].bounds;

    for (uint32_t i = 0; i < tree->count; i = tree->nodes[i].end)
        widen(&bounds, &tree->nodes[i].bounds);
    return bounds;
}

/*
 * A dump often contains only the window in front: is all of tree a dialog, or a
 * sheet from the bottom, over the screen of the other tree? Returns which of
 * them; NULL: neither.
 */
static const char *window_over(const struct tree *tree,
                               const struct tree *other)
{
    struct tree_rect window, screen;

    if (!tree->count || !other->count)
        return NULL;
    window = windows_of(tree);
    screen = windows_of(other);
    if (window.top <= screen.top || window.bottom > screen.bottom)
        return NULL;
    if (window.left > screen.left && window.right < screen.right)
        return "dialog";
    return window.left == screen.left && window.right == screen.right &&
                   window.bottom == screen.bottom &&
                   window.top - screen.top >
                       SHEET_TOP * (screen.bottom - screen.top)
               ? "sheet"
               : NULL;
}

static bool tell_dialog(struct summary_line *telling)
{
    const struct summarize_view *view = telling->view;
    const char *opened = window_over(view->after, view->before.tree);
    const char *closed = window_over(view->before.tree, view->after);
    struct names names;

    if (!opened && !closed)
        return false;
    names = names_of_screen(opened ? view->after : view->before.tree);
    begin(telling);
    buf_printf(&telling->line, "%s %s", opened ? "a" : "the",
               opened ? opened : closed);
    if (names.count) {
        buf_text(&telling->line, " with ");
        tell_names(telling, &names);
    }
    buf_text(&telling->line, opened ? " opened" : " closed");
    return true;
}

/* ---- the same screen ---- */

/* New elements; with replaced, also changed texts, as replaced rows look. */
static struct names names_in_view(const struct summary_line *telling,
                                  bool replaced)
{
    struct names names = {.count = 0};

    for (size_t i = 0; i < telling->diff.count; i++) {
        const struct tree_change *change = &telling->diff.changes[i];

        if (change->kind == CHANGE_APPEARED ||
            (replaced && change->kind == CHANGE_TEXT))
            add_name(&names, &telling->view->after->nodes[change->after]);
    }
    return names;
}

/* Not when rows only moved up because others were filtered out. */
static bool tell_scroll(struct summary_line *telling)
{
    const struct tree_diff *diff = &telling->diff;
    bool moved = diff->moved_x || diff->moved_y;
    struct names names;

    if (is_filter(telling) ||
        (!moved && (is_same_screen(diff) || !is_scrolled(telling))))
        return false;
    begin(telling);
    buf_printf(&telling->line, "the content moved%s",
               !moved              ? ""
               : diff->moved_y < 0 ? " up"
               : diff->moved_y > 0 ? " down"
               : diff->moved_x < 0 ? " left"
                                   : " right");
    names = names_in_view(telling, is_scrolled(telling));
    if (names.count) {
        buf_text(&telling->line, " and shows ");
        tell_names(telling, &names);
    }
    return true;
}

static void tell_state(struct summary_line *telling,
                       const struct tree_change *change,
                       const struct phrase *name)
{
    const struct tree_node *now = &telling->view->after->nodes[change->after];
    struct phrase text;

    switch (change->kind) {
    case CHANGE_CHECKED:
        buf_printf(&telling->line, "'%s' turned %s", name->text,
                   now->flags & NODE_CHECKED ? "on" : "off");
        return;
    case CHANGE_SELECTED:
        buf_printf(&telling->line, "'%s' %s", name->text,
                   now->flags & NODE_SELECTED ? "selected" : "deselected");
        return;
    case CHANGE_ENABLED:
        buf_printf(&telling->line, "'%s' %s", name->text,
                   now->flags & NODE_DISABLED ? "disabled" : "enabled");
        return;
    case CHANGE_TEXT:
        if (now->flags & NODE_PASSWORD)
            buf_printf(&telling->line, "'%s' %s", name->text,
                       *now->text ? "filled in" : "emptied");
        else if (node_label_own(now, &text))
            buf_printf(&telling->line, "'%s' became '%s'", name->text,
                       text.text);
        else
            buf_printf(&telling->line, "'%s' emptied", name->text);
        return;
    case CHANGE_APPEARED:
        buf_printf(&telling->line, "'%s' appeared", name->text);
        return;
    case CHANGE_VANISHED:
        buf_printf(&telling->line, "'%s' vanished", name->text);
        return;
    case CHANGE_KINDS:
        return;
    }
}

/* The name that a changed node had, or has if it is new. */
static bool name_change(const struct summary_line *telling,
                        const struct tree_change *change, struct phrase *name)
{
    bool fresh = change->before == TREE_NONE;
    const struct tree *tree =
        fresh ? telling->view->after : telling->view->before.tree;
    struct node_label label;

    node_label_of(tree, fresh ? change->after : change->before, &label);
    *name = label.name;
    return label.source != NODE_LABEL_NONE && phrase_readable(name->text);
}

/* Changed states matter more than nodes that appeared or vanished. */
static int tell_changes(struct summary_line *telling, bool states, int left)
{
    int tries = CHANGES_TRIED;

    for (size_t i = 0; i < telling->diff.count && left > 0 && tries > 0; i++) {
        const struct tree_change *change = &telling->diff.changes[i];
        bool state =
            change->kind != CHANGE_APPEARED && change->kind != CHANGE_VANISHED;
        struct phrase name;

        if (state != states || change->by_scroll)
            continue;
        tries--;
        if (!name_change(telling, change, &name))
            continue;
        begin(telling);
        tell_state(telling, change, &name);
        left--;
    }
    return left;
}

/* ---- the whole ---- */

static bool has_trees(const struct summary_line *telling)
{
    return telling->view->before.tree && telling->view->after;
}

static void compare_trees(struct summary_line *telling)
{
    if (!telling->compared)
        tree_diff(telling->view->before.tree, telling->view->after,
                  &telling->diff);
    telling->compared = true;
}

static void tell_trees(struct summary_line *telling)
{
    const struct summarize_view *view = telling->view;
    int left = CHANGES_MAX;

    compare_trees(telling);
    if (tell_app(telling) || tell_dialog(telling) || tell_screen(telling))
        return;
    if (tell_overlay(telling, view->after, CHANGE_APPEARED) ||
        tell_overlay(telling, view->before.tree, CHANGE_VANISHED))
        left = 1;
    else if (tell_scroll(telling) && is_scrolled(telling))
        return;
    left = tell_changes(telling, true, left);
    if (!telling->has_effect)
        (void)tell_changes(telling, false, left);
}

/* The clock and the icons beside it change on their own. */
static bool is_status_bar(const struct screendiff *pixels)
{
    const struct changed_regions *regions = &pixels->regions;

    for (size_t i = 0; i < regions->count; i++) {
        if (regions->boxes[i].bottom > STATUS_BAR * pixels->height)
            return false;
    }
    return regions->count;
}

static const struct screendiff *compare_pixels(
    const struct summary_line *telling)
{
    const struct summarize_view *view = telling->view;

    return view->pixels ? view->pixels(view->from) : NULL;
}

/* Pictures show content without nodes: games, maps, web pages. */
static void tell_pixels(struct summary_line *telling,
                        const struct screendiff *pixels)
{
    begin(telling);
    if (!pixels)
        buf_text(&telling->line, "nothing changed in the tree");
    else if (!pixels->same_size)
        buf_text(&telling->line, "the screen has another size");
    else if (!pixels->pixels_changed)
        buf_text(&telling->line, "nothing changed");
    else if (pixels->moved)
        buf_text(&telling->line, "the content moved");
    else if (is_status_bar(pixels))
        buf_text(&telling->line, "nothing changed but the status bar");
    else
        buf_printf(&telling->line, "%.*f %% of the screen changed",
                   pixels->share < 0.1 ? 1 : 0, 100 * pixels->share);
}

/* ---- whether anything changed ---- */

/* The system's bars change on their own. */
static bool is_of_app(const struct summary_line *telling,
                      const struct tree_change *change)
{
    const struct tree_node *node =
        change->after != TREE_NONE
            ? &telling->view->after->nodes[change->after]
            : &telling->view->before.tree->nodes[change->before];

    return strcmp(node->package, "com.android.systemui") != 0;
}

static bool is_changed(void *context)
{
    struct summary_line *telling = context;
    const struct screendiff *pixels;

    if (has_trees(telling)) {
        compare_trees(telling);
        for (size_t i = 0; i < telling->diff.count; i++) {
            if (is_of_app(telling, &telling->diff.changes[i]))
                return true;
        }
    }
    pixels = compare_pixels(telling);
    return pixels && pixels->pixels_changed && !is_status_bar(pixels);
}

static void describe_action(struct summary_line *telling,
                            struct description *description)
{
    struct scene before = telling->view->before;

    telling->what = description;
    before.changed = is_changed;
    before.after = telling;
    describe_step(&before, telling->view->action, description);
}

void summarize_action(const struct summarize_view *view,
                      struct description *description)
{
    struct summary_line telling = {.view = view, .diff = TREE_DIFF_INIT};

    describe_action(&telling, description);
    tree_diff_release(&telling.diff);
}

void summarize_offline(const struct summarize_view *view,
                       struct description *description)
{
    struct summary_line telling = {.view = view,
                                   .diff = TREE_DIFF_INIT,
                                   .line = BUF_INIT(DESCRIPTION_MAX - 1)};
    const struct screendiff *pixels;

    describe_action(&telling, description);
    buf_text(&telling.line, description->line);
    if (has_trees(&telling))
        tell_trees(&telling);
    if (!telling.has_effect) {
        pixels = compare_pixels(&telling);
        if (pixels || has_trees(&telling))
            tell_pixels(&telling, pixels);
    }
    memcpy(description->line, buf_cstr(&telling.line), telling.line.length + 1);
    buf_release(&telling.line);
    tree_diff_release(&telling.diff);
}
