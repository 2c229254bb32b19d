#include "process_provider/tree/paint_order.h"

#include <stdlib.h>
#include <string.h>

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

/*
 * Windows without layers are in any order in a dump. Keyboards, dialogs and
 * bars are smaller than the app that they lie on.
 */
static int compare_windows(const void *a, const void *b, void *context)
{
    const struct tree *tree = context;
    uint32_t one = *(const uint32_t *)a;
    uint32_t other = *(const uint32_t *)b;
    int32_t low = tree->windows[tree->nodes[one].window].layer;
    int32_t high = tree->windows[tree->nodes[other].window].layer;
    int64_t area = rect_area(&tree->nodes[one].bounds);
    int64_t other_area = rect_area(&tree->nodes[other].bounds);

    if (low != high)
        return low < high ? -1 : 1;
    if (area != other_area)
        return area > other_area ? -1 : 1;
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

/* It takes the taps that what lies on it leaves over. */
static bool is_backdrop(const struct tree *tree, uint32_t node)
{
    return tree->nodes[node].takes_taps && tree->nodes[node].end == node + 1;
}

static bool is_same_place(const struct tree *tree, uint32_t a, uint32_t b)
{
    return !memcmp(&tree->nodes[a].bounds, &tree->nodes[b].bounds,
                   sizeof(struct tree_rect));
}

static int compare_backdrops(const void *a, const void *b, void *context)
{
    const struct tree *tree = context;
    uint32_t one = *(const uint32_t *)a;
    uint32_t other = *(const uint32_t *)b;

    if (is_backdrop(tree, one) != is_backdrop(tree, other))
        return is_backdrop(tree, one) ? -1 : 1;
    return one < other ? -1 : 1;
}

/*
 * Android lists siblings by their place, and those in one place in any order.
 * In all real dumps with a drawing order the empty one was painted first.
 */
static void sort_backdrops(const struct tree *tree, uint32_t *list,
                           uint32_t count)
{
    uint32_t end;

    for (uint32_t first = 0; first < count; first = end) {
        end = first + 1;
        while (end < count && is_same_place(tree, list[first], list[end]))
            end++;
        if (end > first + 1)
            qsort_r(list + first, end - first, sizeof(*list), compare_backdrops,
                    (void *)(uintptr_t)tree);
    }
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
        qsort_r(stack, count, sizeof(*stack), compare_windows,
                (void *)(uintptr_t)tree);
    } else if (!is_rising(tree, stack, count)) {
        qsort_r(stack, count, sizeof(*stack), compare_order, tree->nodes);
        if (!is_rising(tree, stack, count)) {
            count = list_siblings(tree, first, end, stack);
            sort_backdrops(tree, stack, count);
        }
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

/* Is there a backdrop behind what it may lie under? */
static bool has_late_backdrop(const struct tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        uint32_t next = tree->nodes[i].end;

        if (next < tree->count &&
            tree->nodes[next].parent == tree->nodes[i].parent &&
            is_backdrop(tree, next) && is_same_place(tree, i, next))
            return true;
    }
    return false;
}

/* Each window is a root, also where the dump names no windows. */
static bool has_windows(const struct tree *tree)
{
    return tree->count && tree->nodes[0].end < tree->count;
}

void paint_order(const struct tree *tree, bool ordered, uint32_t *painted)
{
    if (ordered || has_windows(tree) || has_late_backdrop(tree)) {
        sort_by_painting(tree, painted);
    } else {
        for (uint32_t i = 0; i < tree->count; i++)
            painted[i] = i;
    }
    reverse(painted, tree->count);
}
