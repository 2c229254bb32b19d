/*
 * Every clickable leaf of every real dump: a tap on its middle must be
 * described as one on it, unless something else lies there, and the name must
 * be the target's. Checked by separate rules: what lies on what, the target's
 * own text, a text inside its bounds, or a label that the structure assigns to
 * it.
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/macros.h"
#include "process_provider/describe/describe.h"

#define NO_FIXTURES 77
#define WRONG_MAX 0.01 /* of the names: the share that is another's */
#define GROUP_LEVELS 4
#define ROW_SHARE 0.2 /* of the screen: what takes more is no row */

static struct {
    unsigned dumps;
    unsigned targets;
    unsigned named;
    unsigned wrong;
    unsigned elsewhere; /* of these: another view is described */
    unsigned denied;    /* rows with text that are called an empty place */
} totals;

/* ---- names of the target ---- */

static bool is_text_of(const struct tree_node *node, const char *name)
{
    const char *const texts[] = {node->text, node->description, node->hint};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct phrase phrase;

        if (phrase_clean(texts[i], &phrase) && !strcmp(phrase.text, name))
            return true;
    }
    return false;
}

static bool says(const struct tree_node *node)
{
    struct phrase phrase;

    return phrase_clean(node->text, &phrase) ||
           phrase_clean(node->description, &phrase);
}

static bool lies_in(const struct tree_rect *inner,
                    const struct tree_rect *outer)
{
    return rect_area(inner) && inner->left >= outer->left &&
           inner->top >= outer->top && inner->right <= outer->right &&
           inner->bottom <= outer->bottom;
}

/* The target's own text, or one inside its bounds. */
static bool is_own_or_inside(const struct tree *tree, uint32_t node,
                             const char *name)
{
    const struct tree_rect *bounds = &tree->nodes[node].bounds;

    for (uint32_t i = 0; i < tree->count; i++) {
        if ((i == node || tree_within(tree, node, i) ||
             lies_in(&tree->nodes[i].bounds, bounds)) &&
            is_text_of(&tree->nodes[i], name))
            return true;
    }
    return false;
}

/* A view around it with the same bounds is the same element. */
static bool is_of_wrapper(const struct tree *tree, uint32_t node,
                          const char *name)
{
    uint32_t outer = tree->nodes[node].parent;

    for (; outer != TREE_NONE; outer = tree->nodes[outer].parent) {
        if (memcmp(&tree->nodes[outer].bounds, &tree->nodes[node].bounds,
                   sizeof(struct tree_rect)) != 0)
            return false;
        if (is_text_of(&tree->nodes[outer], name))
            return true;
    }
    return false;
}

/* Controls with a label beside them. */
static bool takes_a_label(const struct tree *tree, uint32_t node)
{
    for (uint32_t i = node; i < tree->nodes[node].end; i++) {
        enum role role = tree->nodes[i].role;

        if (tree->nodes[i].flags & NODE_CHECKABLE || role == ROLE_SWITCH ||
            role == ROLE_CHECKBOX || role == ROLE_RADIO || role == ROLE_FIELD ||
            role == ROLE_SLIDER || role == ROLE_CHOICE)
            return true;
    }
    return false;
}

static bool is_other_control(const struct tree *tree, uint32_t node, uint32_t i)
{
    return tree->nodes[i].flags & NODE_CLICKABLE &&
           !tree_within(tree, node, i) && !tree_within(tree, i, node);
}

static bool has_other_control(const struct tree *tree, uint32_t group,
                              uint32_t node)
{
    for (uint32_t i = group + 1; i < tree->nodes[group].end; i++) {
        if (is_other_control(tree, node, i))
            return true;
    }
    return false;
}

/* A text in the smallest group that has texts and no other control. */
static bool is_label_of_group(const struct tree *tree, uint32_t node,
                              const char *name)
{
    uint32_t group = tree->nodes[node].parent;

    for (int i = 0; i < GROUP_LEVELS && group != TREE_NONE; i++) {
        bool texts = false;

        if (has_other_control(tree, group, node))
            return false;
        for (uint32_t k = group; k < tree->nodes[group].end; k++) {
            if (tree_within(tree, node, k) || !says(&tree->nodes[k]))
                continue;
            texts = true;
            if (is_text_of(&tree->nodes[k], name))
                return true;
        }
        if (texts)
            return false;
        group = tree->nodes[group].parent;
    }
    return false;
}

/* A resource-id as words names an element without any text. */
static bool is_id_of(const struct tree *tree, uint32_t node, const char *name)
{
    for (uint32_t i = node; i < tree->nodes[node].end; i++) {
        struct phrase phrase;

        if (says(&tree->nodes[i]))
            return false;
        if (phrase_of_id(tree->nodes[i].id, &phrase) &&
            !strcmp(phrase.text, name))
            return true;
    }
    return false;
}

static bool is_name_of(const struct tree *tree, uint32_t node, const char *name)
{
    return is_own_or_inside(tree, node, name) ||
           is_of_wrapper(tree, node, name) ||
           (takes_a_label(tree, node) && is_label_of_group(tree, node, name)) ||
           is_id_of(tree, node, name);
}

/* "Off, tap to change" below "Wi-Fi": a summary is no name. */
static bool is_summary(const struct tree *tree, uint32_t node, const char *name)
{
    bool is_named_so = false;
    bool has_title = false;

    for (uint32_t i = node; i < tree->nodes[node].end; i++) {
        const char *id = tree->nodes[i].id;

        has_title |= !strcmp(id, "android:id/title") && says(&tree->nodes[i]);
        is_named_so |= !strcmp(id, "android:id/summary") &&
                       is_text_of(&tree->nodes[i], name);
    }
    return has_title && is_named_so;
}

/* ---- what lies on what ---- */

static uint32_t root_of(const struct tree *tree, uint32_t node)
{
    while (tree->nodes[node].parent != TREE_NONE)
        node = tree->nodes[node].parent;
    return node;
}

/* The ancestor of a node, or the node, that is a child of outer. */
static uint32_t child_towards(const struct tree *tree, uint32_t outer,
                              uint32_t node)
{
    while (tree->nodes[node].parent != outer)
        node = tree->nodes[node].parent;
    return node;
}

/* Does one window lie on another? Without layers the smaller one does. */
static bool is_window_on(const struct tree *tree, uint32_t upper,
                         uint32_t lower)
{
    int32_t high = tree->windows[tree->nodes[upper].window].layer;
    int32_t low = tree->windows[tree->nodes[lower].window].layer;
    int64_t area = rect_area(&tree->nodes[upper].bounds);
    int64_t lower_area = rect_area(&tree->nodes[lower].bounds);

    if (high != low)
        return high > low;
    return area != lower_area ? area < lower_area : upper > lower;
}

/* An empty view takes the taps that its siblings in the same place leave. */
static bool is_backdrop(const struct tree *tree, const struct tree_node *node)
{
    return node->takes_taps && node->end == (uint32_t)(node - tree->nodes) + 1;
}

/* Does one view lie on another, neither of which is in the other? */
static bool lies_on(const struct tree *tree, uint32_t upper, uint32_t lower)
{
    uint32_t common = lower;
    const struct tree_node *one;
    const struct tree_node *other;

    if (root_of(tree, upper) != root_of(tree, lower))
        return is_window_on(tree, root_of(tree, upper), root_of(tree, lower));
    while (!tree_within(tree, common, upper))
        common = tree->nodes[common].parent;
    one = &tree->nodes[child_towards(tree, common, upper)];
    other = &tree->nodes[child_towards(tree, common, lower)];
    if (one->order != other->order)
        return one->order > other->order;
    if (!memcmp(&one->bounds, &other->bounds, sizeof(one->bounds)) &&
        is_backdrop(tree, one) != is_backdrop(tree, other))
        return is_backdrop(tree, other);
    return upper > lower;
}

/* Is the described view the leaf, a part of it, around it, or on it? */
static bool is_under_finger(const struct tree *tree, uint32_t target,
                            uint32_t leaf)
{
    return tree_within(tree, leaf, target) || tree_within(tree, target, leaf) ||
           lies_on(tree, target, leaf);
}

/* ---- the sweep ---- */

static bool is_leaf(const struct tree *tree, uint32_t node)
{
    const struct tree_node *one = &tree->nodes[node];

    if (!(one->flags & NODE_CLICKABLE) || one->flags & NODE_INVISIBLE ||
        !rect_area(&one->bounds))
        return false;
    for (uint32_t i = node + 1; i < one->end; i++) {
        if (tree->nodes[i].flags & NODE_CLICKABLE)
            return false;
    }
    return true;
}

static bool is_row_with_text(const struct tree *tree, uint32_t leaf)
{
    struct tree_rect screen = tree_screen(tree);

    if ((double)rect_area(&tree->nodes[leaf].bounds) >
        ROW_SHARE * (double)rect_area(&screen))
        return false;
    for (uint32_t i = leaf; i < tree->nodes[leaf].end; i++) {
        if (says(&tree->nodes[i]))
            return true;
    }
    return false;
}

static bool is_named_right(const struct tree *tree, uint32_t leaf,
                           const struct description *description)
{
    uint32_t target = description->target.node;
    const char *name = description->label.name.text;

    if (is_summary(tree, target, name))
        return false;
    return description->label.sense || is_name_of(tree, target, name) ||
           (tree_within(tree, leaf, target) && is_name_of(tree, leaf, name));
}

static void report(const char *path, const struct tree *tree, uint32_t leaf,
                   const struct description *description)
{
    const struct tree_rect *bounds = &tree->nodes[leaf].bounds;

    printf("%s: [%d,%d][%d,%d]\n  %s\n", strrchr(path, '/') + 1, bounds->left,
           bounds->top, bounds->right, bounds->bottom, description->text);
}

static void check(const char *path, const struct tree *tree, uint32_t leaf)
{
    const struct tree_rect *bounds = &tree->nodes[leaf].bounds;
    struct description description;
    bool there;

    describe_tap(&(struct scene){.tree = tree},
                 (bounds->left + bounds->right) / 2,
                 (bounds->top + bounds->bottom) / 2, &description);
    there = description.target.node == TREE_NONE ||
            is_under_finger(tree, description.target.node, leaf);
    totals.targets++;
    if (description.target.kind == TAP_TARGET_NOTHING &&
        is_row_with_text(tree, leaf) &&
        (description.target.node == TREE_NONE || !there ||
         tree_within(tree, description.target.node, leaf))) {
        totals.denied++;
        report(path, tree, leaf, &description);
    }
    if (description.target.node == TREE_NONE ||
        description.label.source == NODE_LABEL_NONE)
        return;
    totals.named++;
    if (there && is_named_right(tree, leaf, &description))
        return;
    totals.wrong++;
    totals.elsewhere += !there;
    report(path, tree, leaf, &description);
}

/* Screens; other files there are outputs of commands, or of other formats. */
static bool may_be_dump(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot && (!strcmp(dot, ".xml") || !strcmp(dot, ".txt"));
}

static int visit(const char *path, const struct stat *status, int type,
                 struct FTW *place)
{
    struct tree tree = TREE_INIT;
    struct err err = ERR_INIT;

    (void)status;
    (void)place;
    if (type != FTW_F || !may_be_dump(path))
        return 0;
    if (tree_load(&tree, path, &err)) {
        totals.dumps++;
        for (uint32_t i = 0; i < tree.count; i++) {
            if (is_leaf(&tree, i))
                check(path, &tree, i);
        }
    }
    tree_release(&tree);
    return 0;
}

int main(void)
{
    if (access(TEST_FIXTURES "/index.tsv", R_OK)) {
        puts("skipped: there are no fixtures");
        return NO_FIXTURES;
    }
    if (nftw(TEST_FIXTURES, visit, 8, FTW_PHYS))
        return 1;
    printf(
        "%u dumps, %u targets, %u with a name: %u wrong (%.2f %%), %u of them "
        "another view's; %u rows with text called empty\n",
        totals.dumps, totals.targets, totals.named, totals.wrong,
        totals.named ? 100.0 * totals.wrong / totals.named : 0,
        totals.elsewhere, totals.denied);
    return totals.targets < 3000 || totals.denied ||
           totals.wrong > WRONG_MAX * totals.named;
}
