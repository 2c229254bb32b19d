#include "process_provider/tree/paint_order.h"

#include <stdlib.h>

#include "base/mem.h"

static int compare_order(const void *a, const void *b, void *context)
{
    const struct tree_node *nodes = context;
    uint32_t one = *(const uint32_t *)a;
    uint32_t other = *(const uint32_t *)b;

    if (nodes[one].order != nodes[other].order)
        return nodes[one].order < nodes[other].order ? -1 : 1;
    return one < other ? -1 : 1;
}

static int compare_layer(const void *a, const void *b, void *context)
{
    const struct tree *tree = context;
    uint32_t one = *(const uint32_t *)a;
    uint32_t other = *(const uint32_t *)b;
    int32_t low = tree->windows[tree->nodes[one].window].layer;
    int32_t high = tree->windows[tree->nodes[other].window].layer;

    if (low != high)
        return low < high ? -1 : 1;
    return one < other ? -1 : 1;
}

static void reverse(uint32_t *items, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t swapped = items[i];

        items[i] = items[count - 1 - i];
        items[count - 1 - i] = swapped;
    }
}

static uint32_t list_siblings(const struct tree *tree, uint32_t first,
                              uint32_t end, uint32_t *list)
{
    uint32_t count = 0;

    for (uint32_t i = first; i < end; i = tree->nodes[i].end)
        list[count++] = i;
    return count;
}

static bool is_rising(const struct tree *tree, const uint32_t *list,
                      uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        if (tree->nodes[list[i - 1]].order >= tree->nodes[list[i]].order)
            return false;
    }
    return true;
}

/*
 * Push the siblings from first to end onto the stack, the one painted first on
 * top. The drawing order counts only if all values differ: where views were
 * left out of the dump, children of several parents are siblings.
 */
static uint32_t push_siblings(const struct tree *tree, uint32_t first,
                              uint32_t end, uint32_t *stack)
{
    uint32_t count = list_siblings(tree, first, end, stack);

    if (count && tree->nodes[first].parent == TREE_NONE) {
        qsort_r(stack, count, sizeof(*stack), compare_layer,
                (void *)(uintptr_t)tree);
    } else if (!is_rising(tree, stack, count)) {
        qsort_r(stack, count, sizeof(*stack), compare_order, tree->nodes);
        if (!is_rising(tree, stack, count))
            count = list_siblings(tree, first, end, stack);
    }
    reverse(stack, count);
    return count;
}

/* The one painted first in front. */
static void sort_by_painting(const struct tree *tree, uint32_t *painted)
{
    uint32_t *stack = mem_new(tree->count, sizeof(*stack));
    uint32_t waiting = push_siblings(tree, 0, tree->count, stack);
    uint32_t count = 0;

    while (waiting) {
        uint32_t node = stack[--waiting];

        painted[count++] = node;
        waiting += push_siblings(tree, node + 1, tree->nodes[node].end,
                                 stack + waiting);
    }
    free(stack);
}

void paint_order(const struct tree *tree, bool ordered, uint32_t *painted)
{
    if (ordered) {
        sort_by_painting(tree, painted);
    } else {
        for (uint32_t i = 0; i < tree->count; i++)
            painted[i] = i;
    }
    reverse(painted, tree->count);
}
