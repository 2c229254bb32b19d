#include "process_provider/describe/tap_target.h"

#include <string.h>

#include "base/macros.h"
#include "process_provider/describe/node_label.h"
#include "process_provider/text/phrase.h"

/* Views that cover more of the screen are background. */
#define BACKGROUND_SHARE 0.5
#define GROUP_SHARE 0.1
/* A clickable list or scroll view is a row up to this share of the screen. */
#define ROW_SHARE 0.2

static double share_of_screen(const struct tree *tree, uint32_t node)
{
    struct tree_rect screen = tree_screen(tree);
    int64_t area = rect_area(&screen);

    if (!area)
        return 0;
    return (double)rect_area(&tree->nodes[node].bounds) / (double)area;
}

static bool says(const struct tree_node *node)
{
    return phrase_readable(node->text) || phrase_readable(node->description);
}

/* Is it a clickable row with text, although its class is a list? */
static bool is_row(const struct tree *tree, uint32_t node)
{
    struct node_label label;

    return tree->nodes[node].flags & NODE_CLICKABLE &&
           share_of_screen(tree, node) <= ROW_SHARE &&
           (says(&tree->nodes[node]) || node_label_inside(tree, node, &label));
}

/* Is it a large clickable view without text? */
static bool is_background(const struct tree *tree, uint32_t node)
{
    const struct tree_node *one = &tree->nodes[node];
    enum role role = one->role;

    if (role == ROLE_PAGE)
        return true;
    if (role == ROLE_LIST ||
        (one->flags & NODE_SCROLLABLE && role == ROLE_NONE))
        return !is_row(tree, node);
    return role != ROLE_FIELD && !says(one) &&
           share_of_screen(tree, node) > BACKGROUND_SHARE;
}

/* Visible, and small enough to be the target. */
static bool is_visible_thing(const struct tree *tree, uint32_t node)
{
    const struct tree_node *one = &tree->nodes[node];

    return one->role != ROLE_PAGE && !(one->flags & NODE_SCROLLABLE) &&
           says(one) && share_of_screen(tree, node) <= BACKGROUND_SHARE;
}

/* Views that only take room, or paint a ground, are nothing to a person. */
static bool is_filling(const char *id)
{
    static const char *const words[] = {
        "background", "placeholder", "divider", "border", "spacer",
        "overlay",    "shadow",      "stub",    "space",  "separator",
    };

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (strstr(id, words[i]))
            return true;
    }
    return false;
}

/*
 * A leaf whose id names what it shows, such as a progress bar or page dots; or
 * any picture.
 */
static bool is_visible_leaf(const struct tree *tree, uint32_t node)
{
    const struct tree_node *one = &tree->nodes[node];
    struct phrase id;

    if (one->end > node + 1)
        return false;
    if (one->role == ROLE_IMAGE)
        return share_of_screen(tree, node) <= BACKGROUND_SHARE;
    return share_of_screen(tree, node) <= GROUP_SHARE &&
           phrase_of_id(one->id, &id) && !is_filling(id.text);
}

/* A group of a text and its surroundings. */
static bool is_visible_group(const struct tree *tree, uint32_t node)
{
    const struct tree_node *one = &tree->nodes[node];
    struct node_label label;

    if (share_of_screen(tree, node) > GROUP_SHARE || says(one))
        return false;
    return node_label_inside(tree, node, &label);
}

/*
 * Compose puts the view that takes the taps around one that only says what
 * kind of thing it is. The outer one has the state, and may have the name.
 */
static uint32_t outer_control(const struct tree *tree, uint32_t node)
{
    const struct tree_node *one = &tree->nodes[node];
    uint32_t outer = one->parent;

    if (one->flags & (NODE_CLICKABLE | NODE_CHECKABLE) || outer == TREE_NONE)
        return node;
    if (!(tree->nodes[outer].flags & (NODE_CLICKABLE | NODE_CHECKABLE)))
        return node;
    if (rect_area(&tree->nodes[outer].bounds) <= 4 * rect_area(&one->bounds) ||
        (!says(one) && says(&tree->nodes[outer])))
        return outer;
    return node;
}

struct tap_target tap_target_at(const struct tree *tree, int x, int y)
{
    struct tap_target target = {.kind = TAP_TARGET_NOTHING, .node = TREE_NONE};
    uint32_t place = 0;
    uint32_t seen = TREE_NONE;
    uint32_t leaf = TREE_NONE;
    uint32_t group = TREE_NONE;
    uint32_t above = TREE_NONE;
    uint32_t node;

    while ((node = tree_next_at(tree, x, y, &place)) != TREE_NONE) {
        const struct tree_node *one = &tree->nodes[node];

        /* A window keeps the taps on it from those beneath. */
        if (above != TREE_NONE && one->window != tree->nodes[above].window)
            break;
        above = node;
        if (seen == TREE_NONE && is_visible_thing(tree, node))
            seen = node;
        if (!one->takes_taps) {
            if (leaf == TREE_NONE && is_visible_leaf(tree, node))
                leaf = node;
            if (group == TREE_NONE && is_visible_group(tree, node))
                group = node;
            continue;
        }
        if (!is_background(tree, node))
            return (struct tap_target){TAP_TARGET_CONTROL,
                                       outer_control(tree, node)};
        /* Views beneath are not the target. */
        target.node = node;
        break;
    }
    if (seen == TREE_NONE)
        seen = leaf;
    if (seen == TREE_NONE)
        seen = group;
    if (seen != TREE_NONE)
        return (struct tap_target){TAP_TARGET_TEXT, seen};
    return target;
}

uint32_t tap_target_smallest(const struct tree *tree, int x, int y)
{
    uint32_t smallest = TREE_NONE;

    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];

        if (!(node->flags & NODE_CLICKABLE) || !rect_area(&node->bounds) ||
            !rect_holds(&node->bounds, x, y))
            continue;
        if (smallest == TREE_NONE ||
            rect_area(&node->bounds) <=
                rect_area(&tree->nodes[smallest].bounds))
            smallest = i;
    }
    return smallest;
}

uint32_t tap_target_shown(const struct tree *tree, int x, int y)
{
    uint32_t found = TREE_NONE;
    uint32_t place = 0;
    uint32_t node;

    while ((node = tree_next_at(tree, x, y, &place)) != TREE_NONE) {
        const struct tree_node *seen = &tree->nodes[node];

        if ((*seen->text || *seen->description) &&
            (found == TREE_NONE ||
             rect_area(&seen->bounds) < rect_area(&tree->nodes[found].bounds)))
            found = node;
    }
    return found;
}

uint32_t tap_target_scrollable(const struct tree *tree, int x, int y)
{
    uint32_t place = 0;
    uint32_t node;

    while ((node = tree_next_at(tree, x, y, &place)) != TREE_NONE) {
        if (tree->nodes[node].flags & NODE_SCROLLABLE)
            return node;
    }
    return TREE_NONE;
}

uint32_t tap_target_field(const struct tree *tree)
{
    uint32_t field = TREE_NONE;
    unsigned fields = 0;

    for (uint32_t i = 0; i < tree->count; i++) {
        if (tree->nodes[i].role != ROLE_FIELD)
            continue;
        if (tree->nodes[i].flags & NODE_FOCUSED)
            return i;
        field = i;
        fields++;
    }
    return fields == 1 ? field : TREE_NONE;
}
