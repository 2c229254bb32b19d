#include "judge/control.h"

#include <string.h>

#include "process_provider/label.h"
#include "process_provider/place.h"

/* The share of texts that two sights of one page have in common. */
#define SAME_PAGE 0.6

/* The node itself, or the only one inside of it, that can be checked. */
static uint32_t checkable_in(const struct tree *tree, uint32_t node)
{
    uint32_t found = TREE_NONE;

    if (tree->nodes[node].flags & NODE_CHECKABLE)
        return node;
    for (uint32_t i = node + 1; i < tree->nodes[node].end; i++) {
        if (!(tree->nodes[i].flags & NODE_CHECKABLE))
            continue;
        if (found != TREE_NONE)
            return TREE_NONE;
        found = i;
    }
    return found;
}

enum check_state control_checked(const struct tree *tree, uint32_t node)
{
    uint32_t checkable = checkable_in(tree, node);

    if (checkable == TREE_NONE)
        return CHECK_EITHER;
    return tree->nodes[checkable].flags & NODE_CHECKED ? CHECK_YES : CHECK_NO;
}

enum check_state control_state(const struct tree *tree, uint32_t node)
{
    enum check_state checked = control_checked(tree, node);

    if (checked == CHECK_EITHER && tree->nodes[node].flags & NODE_SELECTED)
        return CHECK_YES;
    return checked;
}

/* Is it a text that stands in the row by itself, and not on a control? */
static bool is_text_of_row(const struct tree *tree, uint32_t row,
                           const char *text)
{
    for (uint32_t i = row + 1; i < tree->nodes[row].end; i++) {
        struct phrase name;

        if (tree->nodes[i].takes_taps) {
            i = tree->nodes[i].end - 1;
            continue;
        }
        if (label_own(&tree->nodes[i], &name) && !strcmp(name.text, text))
            return true;
    }
    return false;
}

/* What the row is about, where the node is only a part of it. */
static void find_row(const struct tree *tree, uint32_t node,
                     struct phrase *name)
{
    struct place_row row = place_row(tree, node);
    struct label label;

    if (row.node == TREE_NONE || row.node == node)
        return;
    label_node(tree, row.node, &label);
    if (label.source == LABEL_OWN ||
        is_text_of_row(tree, row.node, label.name.text))
        *name = label.name;
}

bool control_of(const struct tree *tree, uint32_t node, struct control *control)
{
    struct label label;

    label_node(tree, node, &label);
    if (label.source == LABEL_NONE)
        return false;
    *control = (struct control){
        .class_name = tree->nodes[node].class_name,
        .id = tree->nodes[node].id,
        .name = label.name,
        .checkable = checkable_in(tree, node) != TREE_NONE,
        .bounds = tree->nodes[node].bounds,
    };
    find_row(tree, node, &control->row);
    (void)place_screen(tree, &control->screen);
    return true;
}

static bool is_same(const struct tree *tree, uint32_t node,
                    const struct control *control)
{
    const struct tree_node *one = &tree->nodes[node];
    struct phrase row = {.text = ""};
    struct label label;

    if (strcmp(one->class_name, control->class_name) != 0 ||
        strcmp(one->id, control->id) != 0)
        return false;
    label_node(tree, node, &label);
    if (label.source == LABEL_NONE ||
        strcmp(label.name.text, control->name.text) != 0)
        return false;
    find_row(tree, node, &row);
    return !strcmp(row.text, control->row.text);
}

uint32_t control_find(const struct tree *tree, const struct control *control)
{
    struct phrase screen = {.text = ""};

    (void)place_screen(tree, &screen);
    if (strcmp(screen.text, control->screen.text) != 0)
        return TREE_NONE;
    for (uint32_t i = 0; i < tree->count; i++) {
        if (is_same(tree, i, control))
            return i;
    }
    return TREE_NONE;
}

/* Its id, if it is the only one that has it, or else the same rectangle. */
uint32_t control_place(const struct tree *tree, const struct control *control)
{
    uint32_t same_id = TREE_NONE;
    unsigned count = 0;

    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];

        if (strcmp(node->class_name, control->class_name) != 0 ||
            strcmp(node->id, control->id) != 0)
            continue;
        if (!memcmp(&node->bounds, &control->bounds, sizeof(node->bounds)))
            return i;
        same_id = i;
        count++;
    }
    return control->id[0] && count == 1 ? same_id : TREE_NONE;
}

/* How many texts of a there are, and how many of them are in b as well. */
static void count_common(const struct tree *a, const struct tree *b,
                         unsigned *all, unsigned *common)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const char *text = a->nodes[i].text;

        if (!phrase_readable(text))
            continue;
        ++*all;
        for (uint32_t k = 0; k < b->count; k++) {
            if (!strcmp(b->nodes[k].text, text)) {
                ++*common;
                break;
            }
        }
    }
}

bool control_same_page(const struct tree *a, const struct tree *b)
{
    unsigned all = 0;
    unsigned common = 0;

    if (a == b)
        return true;
    count_common(a, b, &all, &common);
    count_common(b, a, &all, &common);
    return all == 0 || (double)common >= SAME_PAGE * (double)all;
}

bool control_are_choices(const struct tree *tree, uint32_t a, uint32_t b)
{
    struct place_row row_a;
    struct place_row row_b;

    if (tree->nodes[a].parent == tree->nodes[b].parent)
        return true;
    row_a = place_row(tree, a);
    row_b = place_row(tree, b);
    return row_a.node != TREE_NONE && row_b.node != TREE_NONE &&
           row_a.list == row_b.list;
}
