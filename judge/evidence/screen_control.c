#include "judge/evidence/screen_control.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "process_provider/describe/node_context.h"
#include "process_provider/describe/node_label.h"

/*
 * The minimum share of texts that two screens of the same page have in common.
 */
#define SAME_PAGE 0.6
/* Controls of one name whose rows are compared; real screens have fewer. */
#define ALIKE_MAX 500

/* The node, or the only node inside it, that can be checked. */
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

enum tri_state screen_control_checked(const struct tree *tree, uint32_t node)
{
    uint32_t checkable = checkable_in(tree, node);

    if (checkable == TREE_NONE)
        return TRI_STATE_EITHER;
    return tree->nodes[checkable].flags & NODE_CHECKED ? TRI_STATE_YES
                                                       : TRI_STATE_NO;
}

enum tri_state screen_control_state(const struct tree *tree, uint32_t node)
{
    enum tri_state checked = screen_control_checked(tree, node);

    if (checked == TRI_STATE_EITHER && tree->nodes[node].flags & NODE_SELECTED)
        return TRI_STATE_YES;
    return checked;
}

/* Is it a separate text in the row, not the label of a control? */
static bool is_text_of_row(const struct tree *tree, uint32_t row,
                           const char *text)
{
    for (uint32_t i = row + 1; i < tree->nodes[row].end; i++) {
        struct phrase name;

        if (tree->nodes[i].takes_taps) {
            i = tree->nodes[i].end - 1;
            continue;
        }
        if (node_label_own(&tree->nodes[i], &name) && !strcmp(name.text, text))
            return true;
    }
    return false;
}

/* The title of the row, where the node is only a part of it. */
static void find_row(const struct tree *tree, uint32_t node,
                     struct phrase *name)
{
    struct node_context_row row = node_context_row(tree, node);
    struct node_label label;

    if (row.node == TREE_NONE || row.node == node)
        return;
    node_label_of(tree, row.node, &label);
    if (label.source == NODE_LABEL_OWN ||
        is_text_of_row(tree, row.node, label.name.text))
        *name = label.name;
}

bool screen_control_of(const struct tree *tree, uint32_t node,
                       struct screen_control *control)
{
    struct node_label label;

    node_label_of(tree, node, &label);
    if (label.source == NODE_LABEL_NONE)
        return false;
    *control = (struct screen_control){
        .class_name = tree->nodes[node].class_name,
        .id = tree->nodes[node].id,
        .name = label.name,
        .checkable = checkable_in(tree, node) != TREE_NONE,
        .bounds = tree->nodes[node].bounds,
    };
    find_row(tree, node, &control->row);
    (void)node_context_screen(tree, &control->screen);
    return true;
}

static bool is_alike(const struct tree *tree, uint32_t node,
                     const struct screen_control *control)
{
    const struct tree_node *one = &tree->nodes[node];
    struct node_label label;

    if (strcmp(one->class_name, control->class_name) != 0 ||
        strcmp(one->id, control->id) != 0)
        return false;
    node_label_of(tree, node, &label);
    return label.source != NODE_LABEL_NONE &&
           !strcmp(label.name.text, control->name.text);
}

static bool is_in_row(const struct tree *tree, uint32_t node, const char *name)
{
    struct phrase row = {.text = ""};

    find_row(tree, node, &row);
    return !strcmp(row.text, name);
}

uint32_t screen_control_find(const struct tree *tree,
                             const struct screen_control *control)
{
    struct phrase screen = {.text = ""};
    int tries = ALIKE_MAX;

    (void)node_context_screen(tree, &screen);
    if (strcmp(screen.text, control->screen.text) != 0)
        return TREE_NONE;
    for (uint32_t i = 0; i < tree->count && tries > 0; i++) {
        if (!is_alike(tree, i, control))
            continue;
        tries--;
        if (is_in_row(tree, i, control->row.text))
            return i;
    }
    return TREE_NONE;
}

/* Match by id if it is unique, otherwise by the same rectangle. */
uint32_t screen_control_place(const struct tree *tree,
                              const struct screen_control *control)
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

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The texts of a tree, sorted. The caller frees them. */
static const char **sort_texts(const struct tree *tree, size_t *count)
{
    const char **texts = mem_new(tree->count + 1, sizeof(*texts));

    *count = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        if (phrase_readable(tree->nodes[i].text))
            texts[(*count)++] = tree->nodes[i].text;
    }
    qsort(texts, *count, sizeof(*texts), compare_texts);
    return texts;
}

/* How many of the texts are among others as well; both are sorted. */
static size_t count_common(const char *const *texts, size_t count,
                           const char *const *others, size_t other_count)
{
    size_t common = 0;
    size_t k = 0;

    for (size_t i = 0; i < count; i++) {
        while (k < other_count && strcmp(others[k], texts[i]) < 0)
            k++;
        common += k < other_count && !strcmp(others[k], texts[i]);
    }
    return common;
}

bool screen_control_same_page(const struct tree *a, const struct tree *b)
{
    const char **texts[2];
    size_t counts[2];
    size_t common;
    size_t all;

    if (a == b)
        return true;
    texts[0] = sort_texts(a, &counts[0]);
    texts[1] = sort_texts(b, &counts[1]);
    common = count_common(texts[0], counts[0], texts[1], counts[1]) +
             count_common(texts[1], counts[1], texts[0], counts[0]);
    all = counts[0] + counts[1];
    free(texts[0]);
    free(texts[1]);
    return all == 0 || (double)common >= SAME_PAGE * (double)all;
}

uint32_t screen_control_row(const struct tree *tree, uint32_t node)
{
    struct node_context_row row = node_context_row(tree, node);

    return row.node == TREE_NONE ? node : row.node;
}

bool screen_control_are_choices(const struct tree *tree, uint32_t a, uint32_t b)
{
    struct node_context_row row_a;
    struct node_context_row row_b;

    if (tree->nodes[a].parent == tree->nodes[b].parent)
        return true;
    row_a = node_context_row(tree, a);
    row_b = node_context_row(tree, b);
    return row_a.node != TREE_NONE && row_b.node != TREE_NONE &&
           row_a.list == row_b.list;
}
