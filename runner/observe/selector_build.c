/* Builds selectors, and compares screens. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "process_provider/describe/node_label.h"
#include "runner/observe/selector_find.h"

#define DEPTH_MAX 256
#define WORDS_MAX 200
#define HASH_START UINT64_C(14695981039346656037)
#define HASH_STEP UINT64_C(1099511628211)

/* ---- anchors of a node ---- */

/* Its index among the children of its parent, or among the roots. */
static unsigned child_number(const struct tree *tree, uint32_t node)
{
    uint32_t parent = tree->nodes[node].parent;
    uint32_t at = parent == TREE_NONE ? 0 : parent + 1;
    unsigned number = 0;

    for (; at < node; at = tree->nodes[at].end)
        number++;
    return number;
}

void selector_node_path(const struct tree *tree, uint32_t node,
                        struct buf *path)
{
    uint32_t way[DEPTH_MAX];
    size_t depth = 0;

    for (; node != TREE_NONE && depth < DEPTH_MAX;
         node = tree->nodes[node].parent)
        way[depth++] = node;
    while (depth) {
        node = way[--depth];
        buf_printf(path, "%u%s", child_number(tree, node), depth ? "/" : "");
    }
}

static void add_text(struct text_list *texts, const char *text)
{
    if (*text)
        text_list_add(texts, text);
}

/* Typed text does not identify a field. */
static void add_texts(const struct tree *tree, uint32_t node,
                      struct node_selector *selector)
{
    const struct tree_node *seen = &tree->nodes[node];
    struct node_label label;

    if (seen->role != ROLE_FIELD && !(seen->flags & NODE_PASSWORD))
        add_text(&selector->text, seen->text);
    add_text(&selector->description, seen->description);
    if (selector->text.count || selector->description.count ||
        seen->role == ROLE_FIELD)
        return;
    node_label_of(tree, node, &label);
    if (label.source == NODE_LABEL_INSIDE)
        add_text(&selector->text, label.name.text);
}

static double part_of(int at, int from, int to)
{
    double part = to - from > 1 ? (double)(at - from) / (to - from - 1) : 0.5;

    return part < 0 ? 0 : part > 1 ? 1 : part;
}

void selector_build(const struct tree *tree, uint32_t node,
                    struct action_point point, struct node_selector *selector)
{
    const struct tree_node *seen = &tree->nodes[node];
    struct buf path = BUF_INIT(4096);

    *selector = (struct node_selector){.has_point = true, .point = point};
    add_texts(tree, node, selector);
    add_text(&selector->id, seen->id);
    if (*seen->class_name)
        selector->class_name = mem_dup(seen->class_name);
    if (*role_name(seen->role))
        selector->role = mem_dup(role_name(seen->role));
    selector_node_path(tree, node, &path);
    selector->path = mem_dup(buf_cstr(&path));
    buf_release(&path);
    selector->relative_x =
        part_of(point.x, seen->bounds.left, seen->bounds.right);
    selector->relative_y =
        part_of(point.y, seen->bounds.top, seen->bounds.bottom);
}

/* ---- similarity of screens ---- */

static void mix(uint64_t *hash, const char *text)
{
    for (; *text; text++)
        *hash = (*hash ^ (unsigned char)*text) * HASH_STEP;
    *hash = (*hash ^ 0xff) * HASH_STEP;
}

/* Numbers change often: each counts as one digit. */
static void mix_text(uint64_t *hash, const char *text)
{
    for (size_t i = 0; *text && i < WORDS_MAX; i++) {
        bool digit = isdigit((unsigned char)*text);

        *hash = (*hash ^ (digit ? '0' : (unsigned char)*text)) * HASH_STEP;
        text++;
        while (digit && isdigit((unsigned char)*text))
            text++;
    }
    *hash = (*hash ^ 0xfe) * HASH_STEP;
}

static bool is_significant(const struct tree_node *node)
{
    if (!strcmp(node->package, "com.android.systemui") ||
        (node->flags & NODE_INVISIBLE) || rect_area(&node->bounds) <= 0)
        return false;
    return *node->text || *node->description || *node->id || node->takes_taps;
}

/* A hash of the kind of element, and with words of its text. */
static uint64_t mark_of(const struct tree_node *node, bool words)
{
    uint64_t hash = HASH_START;

    mix(&hash, node->package);
    mix(&hash, node->class_name);
    mix(&hash, node->id);
    if (words && node->role != ROLE_FIELD)
        mix_text(&hash, node->text);
    if (words)
        mix_text(&hash, node->description);
    return hash;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static uint64_t *marks_of(const struct tree *tree, bool words, size_t *count)
{
    uint64_t *marks = mem_new(tree->count + 1, sizeof(*marks));

    *count = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        if (is_significant(&tree->nodes[i]))
            marks[(*count)++] = mark_of(&tree->nodes[i], words);
    }
    qsort(marks, *count, sizeof(*marks), compare);
    return marks;
}

/* The share of both lists that is in both. */
static double share_of(const struct tree *a, const struct tree *b, bool words)
{
    size_t count_a, count_b, i = 0, j = 0, common = 0;
    uint64_t *in_a = marks_of(a, words, &count_a);
    uint64_t *in_b = marks_of(b, words, &count_b);

    while (i < count_a && j < count_b) {
        if (in_a[i] == in_b[j])
            common++;
        if (in_a[i] <= in_b[j])
            j += in_a[i] == in_b[j], i++;
        else
            j++;
    }
    free(in_a);
    free(in_b);
    if (!count_a && !count_b)
        return 1;
    return 2 * (double)common / (double)(count_a + count_b);
}

double selector_screen_similarity(const struct tree *a, const struct tree *b)
{
    return (share_of(a, b, true) + share_of(a, b, false)) / 2;
}
