/*
 * Every clickable leaf of every real dump: the name in the description of a tap
 * must be the target's. Checked by separate rules: the target's own text, a
 * text inside its bounds, or a label that the structure assigns to it.
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
#define WRONG_MAX 0.01 /* minimum share of right names */
#define GROUP_LEVELS 4

static struct {
    unsigned dumps;
    unsigned targets;
    unsigned named;
    unsigned wrong;
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

static void check(const char *path, const struct tree *tree, uint32_t node)
{
    const struct tree_rect *bounds = &tree->nodes[node].bounds;
    struct description description;
    int x = (bounds->left + bounds->right) / 2;
    int y = (bounds->top + bounds->bottom) / 2;
    uint32_t target;

    describe_tap(&(struct scene){.tree = tree}, x, y, &description);
    target = description.target.node;
    totals.targets++;
    if (target == TREE_NONE || description.label.source == NODE_LABEL_NONE)
        return;
    totals.named++;
    if (description.label.sense ||
        is_name_of(tree, target, description.label.name.text) ||
        (tree_within(tree, node, target) &&
         is_name_of(tree, node, description.label.name.text)))
        return;
    totals.wrong++;
    printf("%s: %d,%d\n  %s\n", strrchr(path, '/') + 1, x, y, description.text);
}

static int visit(const char *path, const struct stat *status, int type,
                 struct FTW *place)
{
    struct tree tree = TREE_INIT;
    struct err err = ERR_INIT;
    const char *dot = strrchr(path, '.');

    (void)status;
    (void)place;
    if (type != FTW_F || !dot || strcmp(dot, ".xml") != 0)
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
    printf("%u dumps, %u targets, %u with a name, %u of them wrong (%.2f %%)\n",
           totals.dumps, totals.targets, totals.named, totals.wrong,
           totals.named ? 100.0 * totals.wrong / totals.named : 0);
    return totals.targets < 1000 || totals.wrong > WRONG_MAX * totals.named;
}
