#include "process_provider/summarize_offline.h"

#include <string.h>

#include "base/buf.h"
#include "process_provider/label.h"
#include "process_provider/place.h"
#include "process_provider/tree_diff.h"

/* Names that are listed, and changes that are told one by one. */
#define NAMES_MAX 3
#define CHANGES_MAX 3

/* Screens that share less of what they say are two screens. */
#define SAME_SCREEN 0.4

/* A part of the screen's height: what begins lower down is a sheet. */
#define SHEET_TOP 0.15

/* The same: where the status bar ends, at most. */
#define STATUS_BAR 0.045

/* What is being told. A piece that does not fit is left out whole. */
struct telling {
    const struct summarize_view *view;
    struct tree_diff diff;
    struct buf line;
    bool told; /* some effect */
};

/* ---- names ---- */

/* Names from a tree, each once, and none that says nothing. */
struct names {
    struct phrase found[NAMES_MAX];
    size_t count;
    bool more;
};

static void add_name(struct names *names, const struct tree_node *node)
{
    struct phrase name;

    if (!label_own(node, &name) || !phrase_readable(name.text))
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
static void tell_names(struct telling *telling, const struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        buf_printf(&telling->line, "%s'%s'", i ? ", " : "",
                   names->found[i].text);
    if (names->more)
        buf_text(&telling->line, " and more");
}

/* Begin to tell an effect. */
static void begin(struct telling *telling)
{
    buf_text(&telling->line, telling->told ? ", " : "; ");
    telling->told = true;
}

/* ---- another app, another screen ---- */

static struct names names_of_screen(const struct tree *tree)
{
    struct names names = {.count = 0};

    for (uint32_t i = 0; i < tree->count && !names.more; i++)
        add_name(&names, &tree->nodes[i]);
    return names;
}

/* ", with 'A', 'B' and more": what a screen without a title shows. */
static void tell_shown(struct telling *telling, const struct tree *tree)
{
    struct names names = names_of_screen(tree);

    if (names.count) {
        buf_text(&telling->line, ", with ");
        tell_names(telling, &names);
    }
}

static bool tell_app(struct telling *telling)
{
    const struct summarize_view *view = telling->view;
    struct phrase before;
    struct phrase after;
    struct phrase title;

    if (!place_app(view->before.tree, TREE_NONE, &before) ||
        !place_app(view->after, TREE_NONE, &after) ||
        !strcmp(before.text, after.text))
        return false;
    begin(telling);
    buf_printf(&telling->line, "%s opened", after.text);
    if (place_screen(view->after, &title))
        buf_printf(&telling->line, ", screen '%s'", title.text);
    else
        tell_shown(telling, view->after);
    return true;
}

/* What only stands where another thing stood is not the same. */
static bool is_same_screen(const struct tree_diff *diff)
{
    uint32_t both = diff->of_before + diff->of_after;
    uint32_t same = diff->matched;

    for (size_t i = 0; i < diff->count; i++)
        same -= diff->changes[i].kind == CHANGE_TEXT && same > 0;
    return !both || 2.0 * same / both >= SAME_SCREEN;
}

static bool tell_screen(struct telling *telling)
{
    const struct summarize_view *view = telling->view;
    struct phrase before = {.text = ""};
    struct phrase title;

    if (is_same_screen(&telling->diff))
        return false;
    (void)place_screen(view->before.tree, &before);
    begin(telling);
    if (place_screen(view->after, &title) &&
        strcmp(title.text, before.text) != 0) {
        buf_printf(&telling->line, "the screen '%s' opened", title.text);
        return true;
    }
    buf_text(&telling->line, "another screen opened");
    tell_shown(telling, view->after);
    return true;
}

/* ---- dialogs and sheets ---- */

/* What appeared in (or vanished with) a window over the screen. */
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
            !place_is_dialog(tree, node))
            continue;
        if (!overlay.found)
            overlay.bounds = tree->nodes[node].bounds;
        overlay.found = true;
        widen(&overlay.bounds, &tree->nodes[node].bounds);
        add_name(&overlay.names, &tree->nodes[node]);
    }
    return overlay;
}

/* What lies at the bottom of the screen is a sheet. */
static const char *overlay_word(const struct tree *tree,
                                const struct overlay *overlay)
{
    struct tree_rect screen = tree_screen(tree);
    double height = screen.bottom - screen.top;
    bool low = overlay->bounds.top - screen.top > SHEET_TOP * height;
    bool reaches = screen.bottom - overlay->bounds.bottom < height / 10;

    return low && reaches ? "sheet" : "dialog";
}

static bool tell_overlay(struct telling *telling, const struct tree *tree,
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

/* What its windows take, all together. */
static struct tree_rect windows_of(const struct tree *tree)
{
    struct tree_rect bounds = tree->nodes[0].bounds;

    for (uint32_t i = 0; i < tree->count; i = tree->nodes[i].end)
        widen(&bounds, &tree->nodes[i].bounds);
    return bounds;
}

/*
 * A dump often holds no more than the window in front: is all of tree a dialog
 * over the screen that the other one shows?
 */
static bool is_dialog_over(const struct tree *tree, const struct tree *other)
{
    struct tree_rect window, screen;

    if (!tree->count || !other->count)
        return false;
    window = windows_of(tree);
    screen = windows_of(other);
    return window.left > screen.left && window.top > screen.top &&
           window.right < screen.right && window.bottom <= screen.bottom;
}

static bool tell_dialog(struct telling *telling)
{
    const struct summarize_view *view = telling->view;
    bool opened = is_dialog_over(view->after, view->before.tree);
    struct names names;

    if (!opened && !is_dialog_over(view->before.tree, view->after))
        return false;
    names = names_of_screen(opened ? view->after : view->before.tree);
    begin(telling);
    buf_text(&telling->line, opened ? "a dialog" : "the dialog");
    if (names.count) {
        buf_text(&telling->line, " with ");
        tell_names(telling, &names);
    }
    buf_text(&telling->line, opened ? " opened" : " closed");
    return true;
}

/* ---- the same screen ---- */

static struct names names_in_view(const struct telling *telling)
{
    struct names names = {.count = 0};

    for (size_t i = 0; i < telling->diff.count; i++) {
        const struct tree_change *change = &telling->diff.changes[i];

        if (change->kind == CHANGE_APPEARED)
            add_name(&names, &telling->view->after->nodes[change->after]);
    }
    return names;
}

static bool tell_scroll(struct telling *telling)
{
    const struct tree_diff *diff = &telling->diff;
    struct names names;

    if (!diff->moved_x && !diff->moved_y)
        return false;
    begin(telling);
    buf_printf(&telling->line, "the content moved %s",
               diff->moved_y < 0   ? "up"
               : diff->moved_y > 0 ? "down"
               : diff->moved_x < 0 ? "left"
                                   : "right");
    names = names_in_view(telling);
    if (names.count) {
        buf_text(&telling->line, " and shows ");
        tell_names(telling, &names);
    }
    return true;
}

static void tell_state(struct telling *telling,
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
        if (label_own(now, &text))
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
static bool name_change(const struct telling *telling,
                        const struct tree_change *change, struct phrase *name)
{
    bool fresh = change->before == TREE_NONE;
    const struct tree *tree =
        fresh ? telling->view->after : telling->view->before.tree;
    struct label label;

    label_node(tree, fresh ? change->after : change->before, &label);
    *name = label.name;
    return label.source != LABEL_NONE && phrase_readable(name->text);
}

/* What is otherwise than before tells more than what came or went. */
static int tell_changes(struct telling *telling, bool states, int left)
{
    for (size_t i = 0; i < telling->diff.count && left > 0; i++) {
        const struct tree_change *change = &telling->diff.changes[i];
        bool state =
            change->kind != CHANGE_APPEARED && change->kind != CHANGE_VANISHED;
        struct phrase name;

        if (state != states || change->by_scroll ||
            !name_change(telling, change, &name))
            continue;
        begin(telling);
        tell_state(telling, change, &name);
        left--;
    }
    return left;
}

/* ---- the whole ---- */

static void tell_trees(struct telling *telling)
{
    const struct summarize_view *view = telling->view;
    int left = CHANGES_MAX;

    tree_diff(view->before.tree, view->after, &telling->diff);
    if (tell_app(telling) || tell_dialog(telling) || tell_screen(telling))
        return;
    if (tell_overlay(telling, view->after, CHANGE_APPEARED) ||
        tell_overlay(telling, view->before.tree, CHANGE_VANISHED))
        left = 1;
    else
        (void)tell_scroll(telling);
    left = tell_changes(telling, true, left);
    if (!telling->told)
        (void)tell_changes(telling, false, left);
}

/* The clock and its neighbours change by themselves. */
static bool is_status_bar(const struct screendiff *pixels)
{
    const struct regions *regions = &pixels->regions;

    for (size_t i = 0; i < regions->count; i++) {
        if (regions->boxes[i].bottom > STATUS_BAR * pixels->height)
            return false;
    }
    return regions->count;
}

/* Pictures know what no tree says: games, maps, web pages. */
static void tell_pixels(struct telling *telling)
{
    const struct screendiff *pixels = telling->view->pixels;

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

void summarize_offline(const struct summarize_view *view,
                       char line[DESCRIPTION_MAX])
{
    struct telling telling = {.view = view,
                              .diff = TREE_DIFF_INIT,
                              .line = BUF_INIT(DESCRIPTION_MAX - 1)};
    char act[DESCRIPTION_MAX];

    describe_step(&view->before, view->action, act);
    buf_text(&telling.line, act);
    if (view->before.tree && view->after)
        tell_trees(&telling);
    if (!telling.told && (view->pixels || (view->before.tree && view->after)))
        tell_pixels(&telling);
    memcpy(line, buf_cstr(&telling.line), telling.line.length + 1);
    buf_release(&telling.line);
    tree_diff_release(&telling.diff);
}
