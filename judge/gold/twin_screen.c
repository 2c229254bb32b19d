#include "judge/gold/twin_screen.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "process_provider/describe/node_label.h"
#include "process_provider/diff/tree_diff.h"

#define TEXT_BYTES_MAX ((size_t)64 * 1024)
#define PAIRS_MAX 16 /* texts of an element */
#define LEVELS_MAX 4 /* from an element up to the list that it is in */

/* ---- copies ---- */

static void *copy_of(const void *items, size_t count, size_t size)
{
    void *copy = mem_new(count + 1, size);

    if (count)
        memcpy(copy, items, count * size);
    return copy;
}

struct tree *twin_screen_copy(const struct tree *tree)
{
    struct tree *copy = mem_new(1, sizeof(*copy));

    *copy = *tree;
    copy->store = NULL;
    copy->nodes = copy_of(tree->nodes, tree->count, sizeof(*tree->nodes));
    copy->windows =
        copy_of(tree->windows, tree->window_count, sizeof(*tree->windows));
    copy->painted =
        copy_of(tree->painted, tree->painted_count, sizeof(*tree->painted));
    copy->areas =
        copy_of(tree->areas, tree->painted_count, sizeof(*tree->areas));
    return copy;
}

/* ---- an effect that is missing ---- */

static bool is_named(const struct tree_node *node)
{
    return node->text[0] || node->description[0];
}

static bool is_same_place(const struct tree_rect *a, const struct tree_rect *b)
{
    return a->left == b->left && a->top == b->top && a->right == b->right &&
           a->bottom == b->bottom;
}

/* A node without a text is identified by its place. */
static bool is_same_node(const struct tree_node *a, const struct tree_node *b)
{
    return !strcmp(a->class_name, b->class_name) && !strcmp(a->id, b->id) &&
           !strcmp(a->text, b->text) &&
           !strcmp(a->description, b->description) &&
           (is_named(a) || is_same_place(&a->bounds, &b->bounds));
}

/* The node on the screen as it was after the step; NULL: not there. */
static struct tree_node *find_node(struct tree *screen,
                                   const struct tree_node *wanted)
{
    struct tree_node *found = NULL;

    for (uint32_t i = 0; i < screen->count; i++) {
        struct tree_node *node = &screen->nodes[i];

        if (!is_same_node(node, wanted))
            continue;
        if (is_same_place(&node->bounds, &wanted->bounds))
            return node;
        if (!found)
            found = node;
    }
    return found;
}

static void revert_change(struct tree *screen, const struct tree *before,
                          const struct tree *after,
                          const struct tree_change *change)
{
    struct tree_node *node;

    if (change->by_scroll || change->after == TREE_NONE)
        return;
    node = find_node(screen, &after->nodes[change->after]);
    if (!node)
        return;
    if (change->before == TREE_NONE) {
        node->text = node->description = "";
        return;
    }
    node->text = before->nodes[change->before].text;
    node->description = before->nodes[change->before].description;
    node->flags = before->nodes[change->before].flags;
}

void twin_screen_revert(struct tree *screen, const struct tree *before,
                        const struct tree *after)
{
    struct tree_diff diff = TREE_DIFF_INIT;

    tree_diff(before, after, &diff);
    for (size_t i = 0; i < diff.count; i++)
        revert_change(screen, before, after, &diff.changes[i]);
    tree_diff_release(&diff);
}

/* The same place of the screen, with another text. */
static void stall_node(struct tree *screen, const struct tree_node *was,
                       const struct tree_node *became)
{
    for (uint32_t i = 0; i < screen->count; i++) {
        struct tree_node *node = &screen->nodes[i];

        if (is_same_place(&node->bounds, &became->bounds) &&
            !strcmp(node->class_name, became->class_name) &&
            !strcmp(node->id, became->id)) {
            node->text = was->text;
            node->description = was->description;
        }
    }
}

void twin_screen_stall(struct tree *screen, const struct tree *before,
                       const struct tree *after)
{
    struct tree_diff diff = TREE_DIFF_INIT;

    tree_diff(before, after, &diff);
    for (size_t i = 0; i < diff.count; i++) {
        const struct tree_change *change = &diff.changes[i];

        if (change->kind == CHANGE_TEXT && !change->by_scroll)
            stall_node(screen, &before->nodes[change->before],
                       &after->nodes[change->after]);
    }
    tree_diff_release(&diff);
}

/* ---- another element ---- */

struct node_texts {
    const char *items[PAIRS_MAX]; /* borrowed */
    size_t count;
};

static void texts_of(const struct tree *tree, uint32_t node,
                     struct node_texts *texts)
{
    texts->count = 0;
    for (uint32_t i = node;
         i < tree->nodes[node].end && texts->count < PAIRS_MAX; i++) {
        const struct tree_node *one = &tree->nodes[i];

        if (is_named(one))
            texts->items[texts->count++] =
                one->text[0] ? one->text : one->description;
    }
}

/* The text that stands in the place of this one. */
static const char *exchanged(const char *text, const struct node_texts *one,
                             const struct node_texts *other)
{
    for (size_t i = 0; text[0] && i < one->count && i < other->count; i++) {
        if (!strcmp(text, one->items[i]))
            return other->items[i];
        if (!strcmp(text, other->items[i]))
            return one->items[i];
    }
    return text;
}

void twin_screen_exchange(struct tree *screen, const struct tree *tree,
                          uint32_t one, uint32_t other)
{
    struct node_texts texts;
    struct node_texts others;

    texts_of(tree, one, &texts);
    texts_of(tree, other, &others);
    for (uint32_t i = 0; i < screen->count; i++) {
        struct tree_node *node = &screen->nodes[i];

        node->text = exchanged(node->text, &texts, &others);
        node->description = exchanged(node->description, &texts, &others);
    }
}

void twin_screen_replace(struct tree *screen, const char *text,
                         const char *other)
{
    for (uint32_t i = 0; i < screen->count; i++) {
        if (!strcmp(screen->nodes[i].text, text))
            screen->nodes[i].text = other;
    }
}

/* Append the characters from the last to the first. */
static void reverse(const char *text, struct buf *reversed)
{
    size_t left = strlen(text);

    while (left > 0) {
        size_t start = left - 1;

        while (start > 0 && ((unsigned char)text[start] & 0xc0) == 0x80)
            start--;
        buf_append(reversed, text + start, left - start);
        left = start;
    }
}

void twin_screen_other_text(const char *text, struct buf *other)
{
    if (!strpbrk(text, "0123456789")) {
        reverse(text, other);
        if (!strcmp(buf_cstr(other), text)) {
            buf_clear(other);
            buf_text(other, "x");
        }
        return;
    }
    for (const char *at = text; *at; at++)
        buf_byte(other, isdigit((unsigned char)*at)
                            ? (char)('0' + (*at - '0' + 1) % 10)
                            : *at);
}

static bool is_known(const char *text, const struct tree *const *known,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (uint32_t k = 0; known[i] && k < known[i]->count; k++) {
            if (!strcmp(known[i]->nodes[k].text, text))
                return true;
        }
    }
    return false;
}

void twin_screen_renumber(struct tree *screen, const struct tree *const *known,
                          size_t count, struct text_list *texts)
{
    for (uint32_t i = 0; i < screen->count; i++) {
        struct tree_node *node = &screen->nodes[i];
        struct buf other = BUF_INIT(TEXT_BYTES_MAX);

        if (!strpbrk(node->text, "0123456789") ||
            is_known(node->text, known, count))
            continue;
        twin_screen_other_text(node->text, &other);
        text_list_add(texts, buf_cstr(&other));
        node->text = texts->items[texts->count - 1];
        buf_release(&other);
    }
}

static bool is_alternative(const struct tree *tree, uint32_t node,
                           const struct node_label *label, uint32_t other)
{
    const struct tree_node *a = &tree->nodes[node];
    const struct tree_node *b = &tree->nodes[other];
    struct node_label name;

    if (tree_within(tree, node, other) || tree_within(tree, other, node) ||
        !b->takes_taps || b->flags & NODE_DISABLED || !rect_area(&b->bounds) ||
        strcmp(a->class_name, b->class_name) != 0)
        return false;
    node_label_of(tree, other, &name);
    return name.source != NODE_LABEL_NONE &&
           strcmp(name.name.text, label->name.text) != 0;
}

static uint32_t other_within(const struct tree *tree, uint32_t scope,
                             uint32_t node, const struct node_label *label)
{
    uint32_t found = TREE_NONE;

    for (uint32_t i = scope; i < tree->nodes[scope].end; i++) {
        if (!is_alternative(tree, node, label, i))
            continue;
        found = i;
        if (i > node)
            break;
    }
    return found;
}

uint32_t twin_screen_other(const struct tree *tree, uint32_t node)
{
    uint32_t scope = tree->nodes[node].parent;
    uint32_t found = TREE_NONE;
    struct node_label label;

    node_label_of(tree, node, &label);
    for (int level = 0;
         level < LEVELS_MAX && scope != TREE_NONE && found == TREE_NONE;
         level++) {
        found = other_within(tree, scope, node, &label);
        scope = tree->nodes[scope].parent;
    }
    return found;
}
