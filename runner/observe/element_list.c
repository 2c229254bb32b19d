#include "runner/observe/element_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/nearest_word.h"
#include "process_provider/describe/node_label.h"
#include "process_provider/pictures/set_of_marks.h"

void element_list_release(struct element_list *elements)
{
    free(elements->items);
    *elements = (struct element_list)ELEMENT_LIST_INIT;
}

/* The visible part of a node. */
static struct box visible(const struct tree_node *node,
                          const struct tree_rect *screen)
{
    const struct box bounds = {node->bounds.left, node->bounds.top,
                               node->bounds.right, node->bounds.bottom};

    return box_meet(bounds, (struct box){screen->left, screen->top,
                                         screen->right, screen->bottom});
}

/* Fill in element; false: the node is not listed. */
static bool take(const struct tree *tree, uint32_t index,
                 const struct tree_rect *screen, struct screen_element *element)
{
    const struct tree_node *node = &tree->nodes[index];
    struct node_label label;
    bool acts = node->takes_taps && !(node->flags & NODE_DISABLED);

    *element = (struct screen_element){
        .box = visible(node, screen),
        .role = role_name(node->role),
        .flags = node->flags,
        .acts = acts,
    };
    if (box_is_empty(element->box) || (node->flags & NODE_INVISIBLE))
        return false;
    if (!acts)
        return node_label_own(node, &element->name);
    node_label_of(tree, index, &label);
    element->name = label.name;
    return true;
}

/* Is the text already in the name of an element that acts? */
static bool is_named_already(const struct tree *tree, uint32_t index,
                             const struct tree_node *node)
{
    struct node_label label;
    struct phrase own;

    for (uint32_t up = node->parent; up != TREE_NONE;
         up = tree->nodes[up].parent) {
        if (!tree->nodes[up].takes_taps)
            continue;
        node_label_of(tree, up, &label);
        return tree_within(tree, up, index) && node_label_own(node, &own) &&
               !strcmp(own.text, label.name.text);
    }
    return false;
}

static void collect(const struct tree *tree, bool only_acting,
                    struct element_list *elements)
{
    struct tree_rect screen = tree_screen(tree);

    for (uint32_t i = 0; i < tree->count && elements->count < ELEMENT_LIST_MAX;
         i++) {
        struct screen_element element;

        if (!take(tree, i, &screen, &element) ||
            (!element.acts &&
             (only_acting || is_named_already(tree, i, &tree->nodes[i]))))
            continue;
        elements->items[elements->count++] = element;
    }
}

void element_list_build(const struct tree *tree, struct element_list *elements)
{
    *elements = (struct element_list){
        .items = mem_new(ELEMENT_LIST_MAX, sizeof(*elements->items))};
    collect(tree, false, elements);
    if (elements->count == ELEMENT_LIST_MAX) {
        elements->count = 0;
        collect(tree, true, elements);
    }
}

void element_list_draw(const struct element_list *elements,
                       struct picture *picture)
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

/* How well a name matches, best first. */
enum name_fit {
    FIT_WHOLE,
    FIT_BEGINNING,
    FIT_PART,
    FITS,
};

static enum name_fit fit_of(const char *name, const char *wanted)
{
    if (!strcasecmp(name, wanted))
        return FIT_WHOLE;
    if (!strncasecmp(name, wanted, strlen(wanted)))
        return FIT_BEGINNING;
    return strcasestr(name, wanted) ? FIT_PART : FITS;
}

static bool lies_within(const struct box *inner, const struct box *outer)
{
    return inner->left >= outer->left && inner->top >= outer->top &&
           inner->right <= outer->right && inner->bottom <= outer->bottom;
}

/*
 * The numbers of those that fit so well, and how many there are. A switch in a
 * row of the same name is one thing with its row, which comes first.
 */
static size_t list_fitting(const struct element_list *elements,
                           const char *wanted, enum name_fit fit, bool acts,
                           int *first, struct buf *numbers)
{
    const struct box *outer = NULL;
    size_t count = 0;

    for (size_t i = 0; i < elements->count; i++) {
        const struct screen_element *element = &elements->items[i];

        if (element->acts != acts || !*element->name.text ||
            fit_of(element->name.text, wanted) != fit ||
            (outer && lies_within(&element->box, outer)))
            continue;
        if (!count++)
            *first = (int)i + 1;
        outer = &element->box;
        buf_printf(numbers, "%s%zu", count > 1 ? ", " : "", i + 1);
    }
    return count;
}

static bool fail_unnamed(const struct element_list *elements,
                         const char *wanted, struct err *err)
{
    struct nearest_word nearest;

    nearest_word_init(&nearest, wanted);
    for (size_t i = 0; i < elements->count; i++)
        nearest_word_offer(&nearest, elements->items[i].name.text);
    if (nearest.best)
        return err_set(err, ERR_NOT_FOUND,
                       "nothing on the screen is called \"%.60s\"; did you "
                       "mean \"%.60s\"?",
                       wanted, nearest.best);
    return err_set(err, ERR_NOT_FOUND,
                   "nothing on the screen is called \"%.60s\"", wanted);
}

bool element_list_find(const struct element_list *elements, const char *name,
                       int *number, struct err *err)
{
    for (int fit = FIT_WHOLE; *name && fit < FITS; fit++) {
        for (int passive = 0; passive < 2; passive++) {
            struct buf numbers = BUF_INIT(120);
            int first = 0;
            size_t count = list_fitting(elements, name, (enum name_fit)fit,
                                        !passive, &first, &numbers);

            if (count > 1)
                err_set(err, ERR_INVALID,
                        "%zu elements match \"%.40s\": numbers %s", count, name,
                        buf_cstr(&numbers));
            buf_release(&numbers);
            if (count == 1)
                *number = first;
            if (count)
                return count == 1;
        }
    }
    return fail_unnamed(elements, name, err);
}

bool element_list_point(const struct element_list *elements, int number,
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
