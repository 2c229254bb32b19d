#include "runner/elements.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "process_provider/label.h"
#include "process_provider/set_of_marks.h"

void elements_release(struct elements *elements)
{
    free(elements->items);
    *elements = (struct elements)ELEMENTS_INIT;
}

/* What of the node is on the screen. */
static struct box visible(const struct tree_node *node,
                          const struct tree_rect *screen)
{
    const struct box bounds = {node->bounds.left, node->bounds.top,
                               node->bounds.right, node->bounds.bottom};

    return box_meet(bounds, (struct box){screen->left, screen->top,
                                         screen->right, screen->bottom});
}

/* Fill in element; false: the node is none. */
static bool take(const struct tree *tree, uint32_t index,
                 const struct tree_rect *screen, struct element *element)
{
    const struct tree_node *node = &tree->nodes[index];
    struct label label;
    bool acts = node->takes_taps && !(node->flags & NODE_DISABLED);

    *element = (struct element){
        .box = visible(node, screen),
        .role = role_name(node->role),
        .flags = node->flags,
        .acts = acts,
    };
    if (box_is_empty(element->box) || (node->flags & NODE_INVISIBLE))
        return false;
    if (!acts)
        return label_own(node, &element->name);
    label_node(tree, index, &label);
    element->name = label.name;
    return true;
}

/* A text that an element which acts is already called by. */
static bool told(const struct tree *tree, uint32_t index,
                 const struct tree_node *node)
{
    struct label label;
    struct phrase own;

    for (uint32_t up = node->parent; up != TREE_NONE;
         up = tree->nodes[up].parent) {
        if (!tree->nodes[up].takes_taps)
            continue;
        label_node(tree, up, &label);
        return tree_within(tree, up, index) && label_own(node, &own) &&
               !strcmp(own.text, label.name.text);
    }
    return false;
}

static void collect(const struct tree *tree, bool only_acting,
                    struct elements *elements)
{
    struct tree_rect screen = tree_screen(tree);

    for (uint32_t i = 0; i < tree->count && elements->count < ELEMENTS_MAX;
         i++) {
        struct element element;

        if (!take(tree, i, &screen, &element) ||
            (!element.acts && (only_acting || told(tree, i, &tree->nodes[i]))))
            continue;
        elements->items[elements->count++] = element;
    }
}

void elements_list(const struct tree *tree, struct elements *elements)
{
    *elements = (struct elements){
        .items = mem_new(ELEMENTS_MAX, sizeof(*elements->items))};
    collect(tree, false, elements);
    if (elements->count == ELEMENTS_MAX) {
        elements->count = 0;
        collect(tree, true, elements);
    }
}

void elements_draw(const struct elements *elements, struct picture *picture)
{
    struct set_mark *marks = mem_new(elements->count + 1, sizeof(*marks));
    size_t count = 0;

    for (size_t i = 0; i < elements->count; i++) {
        if (elements->items[i].acts)
            marks[count++] = (struct set_mark){
                .number = (unsigned)i + 1,
                .element = elements->items[i].box,
            };
    }
    set_of_marks_draw(picture, marks, count);
    free(marks);
}

bool elements_point(const struct elements *elements, int number,
                    struct action_point *point)
{
    const struct box *box;

    if (number < 1 || (size_t)number > elements->count)
        return false;
    box = &elements->items[number - 1].box;
    *point = (struct action_point){(box->left + box->right) / 2,
                                   (box->top + box->bottom) / 2};
    return true;
}
