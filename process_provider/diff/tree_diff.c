#include "process_provider/diff/tree_diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/mem.h"
#include "process_provider/text/phrase.h"

/* Larger groups are only compared up to here; the rest is matched in order. */
#define GROUP_MAX 256

/* A node with text or an id, and its key. */
struct item {
    uint32_t node;
    uint32_t mate; /* its node on the other screen; TREE_NONE: none yet */
    uint64_t key;
};

struct side {
    const struct tree *tree;
    struct item *items; /* owned; sorted by key, then by place in the dump */
    uint32_t count;
};

void tree_diff_release(struct tree_diff *diff)
{
    free(diff->changes);
    *diff = (struct tree_diff)TREE_DIFF_INIT;
}

/* Keys. */

static uint64_t hash(uint64_t seed, const char *text)
{
    for (; *text; text++)
        seed = (seed ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return (seed ^ 0xff) * UINT64_C(0x100000001b3);
}

/* A key of class, id and texts. */
static uint64_t key_of_all(const struct tree_node *node)
{
    uint64_t key = hash(UINT64_C(0xcbf29ce484222325), node->class_name);

    key = hash(key, node->id);
    key = hash(key, node->text);
    return hash(key, node->description);
}

/* A key of class and id, without texts. */
static uint64_t key_of_kind(const struct tree_node *node)
{
    return hash(hash(UINT64_C(0xcbf29ce484222325), node->class_name), node->id);
}

static int compare_items(const void *a, const void *b)
{
    const struct item *one = a;
    const struct item *other = b;

    if (one->key != other->key)
        return one->key < other->key ? -1 : 1;
    return one->node < other->node ? -1 : one->node > other->node;
}

static void sort_by(struct side *side,
                    uint64_t (*key)(const struct tree_node *))
{
    for (uint32_t i = 0; i < side->count; i++)
        side->items[i].key = key(&side->tree->nodes[side->items[i].node]);
    qsort(side->items, side->count, sizeof(*side->items), compare_items);
}

static bool is_telling(const struct tree_node *node)
{
    return rect_area(&node->bounds) && !(node->flags & NODE_INVISIBLE) &&
           (phrase_readable(node->text) || phrase_readable(node->description) ||
            (node->takes_taps && *node->id));
}

static void collect(struct side *side, const struct tree *tree)
{
    side->tree = tree;
    side->items = mem_new(tree->count + 1, sizeof(*side->items));
    for (uint32_t i = 0; i < tree->count; i++) {
        if (is_telling(&tree->nodes[i]))
            side->items[side->count++] =
                (struct item){.node = i, .mate = TREE_NONE};
    }
}

/* Matching. */

struct shift {
    int32_t x;
    int32_t y;
};

static bool is_shifted(const struct tree_rect *a, const struct tree_rect *b,
                       struct shift shift)
{
    return a->left + shift.x == b->left && a->top + shift.y == b->top &&
           a->right - a->left == b->right - b->left;
}

static const struct tree_rect *bounds_of(const struct side *side,
                                         const struct item *item)
{
    return &side->tree->nodes[item->node].bounds;
}

static void mate(struct item *before, struct item *after)
{
    before->mate = after->node;
    after->mate = before->node;
}

/* Items of one key on both sides: [first, first + count). */
struct key_group {
    struct item *items;
    uint32_t count;
};

static struct key_group next_group(const struct side *side, uint32_t first)
{
    struct key_group group = {.items = side->items + first};

    while (first + group.count < side->count &&
           group.items[group.count].key == group.items->key)
        group.count++;
    return group;
}

/* Mate those in two groups that are apart by that shift. */
static void mate_shifted(const struct side *before, struct key_group old,
                         const struct side *after, struct key_group new,
                         struct shift shift)
{
    for (uint32_t i = 0; i < old.count && i < GROUP_MAX; i++) {
        if (old.items[i].mate != TREE_NONE)
            continue;
        for (uint32_t j = 0; j < new.count &&j < GROUP_MAX; j++) {
            if (new.items[j].mate == TREE_NONE &&
                is_shifted(bounds_of(before, &old.items[i]),
                           bounds_of(after, &new.items[j]), shift)) {
                mate(&old.items[i], &new.items[j]);
                break;
            }
        }
    }
}

static uint32_t count_single(struct key_group group)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < group.count; i++)
        count += group.items[i].mate == TREE_NONE;
    return count;
}

/* Match the rest of two groups in order. */
static void mate_in_order(struct key_group old, struct key_group new)
{
    uint32_t j = 0;

    for (uint32_t i = 0; i < old.count; i++) {
        if (old.items[i].mate != TREE_NONE)
            continue;
        while (j < new.count &&new.items[j].mate != TREE_NONE)
            j++;
        if (j == new.count)
            return;
        mate(&old.items[i], &new.items[j]);
    }
}

/* How nodes with the same key are matched. */
struct matching {
    struct side *before;
    struct side *after;
    struct shift shift;
    bool first_pass; /* only unique pairs */
    bool in_place;   /* the rest must have the same id or place */
};

static void match_groups(const struct matching *matching, struct key_group old,
                         struct key_group new)
{
    struct shift none = {0, 0};
    bool scrolled = matching->shift.x || matching->shift.y;
    uint32_t left;

    if (matching->first_pass) {
        if (old.count == 1 && new.count == 1)
            mate(old.items, new.items);
        return;
    }
    mate_shifted(matching->before, old, matching->after, new, matching->shift);
    mate_shifted(matching->before, old, matching->after, new, none);
    left = count_single(old);
    /* Equal rows of a scrolled list may be new: some left, others came. */
    if ((scrolled && !matching->in_place) || left != count_single(new) ||
        (matching->in_place && left != 1))
        return;
    if (matching->in_place &&
        !*matching->before->tree->nodes[old.items->node].id)
        return;
    mate_in_order(old, new);
}

static void match(const struct matching *matching)
{
    uint32_t i = 0;
    uint32_t j = 0;

    while (i < matching->before->count && j < matching->after->count) {
        struct key_group old = next_group(matching->before, i);
        struct key_group new = next_group(matching->after, j);

        if (old.items->key == new.items->key)
            match_groups(matching, old, new);
        if (old.items->key <= new.items->key)
            i += old.count;
        if (new.items->key <= old.items->key)
            j += new.count;
    }
}

/* Scrolling. */

static uint32_t scrolling_parent(const struct tree *tree, uint32_t node)
{
    while (node != TREE_NONE && !(tree->nodes[node].flags & NODE_SCROLLABLE))
        node = tree->nodes[node].parent;
    return node;
}

static int compare_shifts(const void *a, const void *b)
{
    const struct shift *one = a;
    const struct shift *other = b;

    if (one->y != other->y)
        return one->y < other->y ? -1 : 1;
    return one->x < other->x ? -1 : one->x > other->x;
}

/* The most common shift of scrollable nodes; {0, 0} if they stayed. */
static struct shift find_shift(const struct side *before,
                               const struct side *after)
{
    struct shift *shifts = mem_new(before->count + 1, sizeof(*shifts));
    struct shift best = {0, 0};
    uint32_t best_run = 0;
    uint32_t count = 0;
    uint32_t run = 0;

    for (uint32_t i = 0; i < before->count; i++) {
        const struct item *item = &before->items[i];
        const struct tree_rect *from = bounds_of(before, item);
        const struct tree_rect *to;

        if (item->mate == TREE_NONE ||
            scrolling_parent(before->tree, item->node) == TREE_NONE)
            continue;
        to = &after->tree->nodes[item->mate].bounds;
        shifts[count++] =
            (struct shift){to->left - from->left, to->top - from->top};
    }
    qsort(shifts, count, sizeof(*shifts), compare_shifts);
    for (uint32_t i = 0; i < count; i++) {
        run = i && !compare_shifts(&shifts[i - 1], &shifts[i]) ? run + 1 : 1;
        if (run > best_run) {
            best_run = run;
            best = shifts[i];
        }
    }
    free(shifts);
    /* A single node that moved is no scrolling. */
    return best_run >= 2 ? best : (struct shift){0, 0};
}

/* Would the node be outside of its list after that shift? */
static bool leaves_sight(const struct tree *tree, uint32_t node,
                         struct shift shift)
{
    uint32_t list = scrolling_parent(tree, node);
    const struct tree_rect *bounds = &tree->nodes[node].bounds;
    const struct tree_rect *view;

    if (list == TREE_NONE || (!shift.x && !shift.y))
        return false;
    view = &tree->nodes[list].bounds;
    return bounds->bottom + shift.y <= view->top ||
           bounds->top + shift.y >= view->bottom ||
           bounds->right + shift.x <= view->left ||
           bounds->left + shift.x >= view->right;
}

/* Changes. */

static void add(struct tree_diff *diff, struct tree_change change)
{
    diff->changes[diff->count++] = change;
}

static void add_pair(const struct side *before, const struct side *after,
                     uint32_t old, uint32_t new, struct tree_diff *diff)
{
    static const struct {
        enum tree_change_kind kind;
        uint32_t flag;
    } flags[] = {
        {CHANGE_CHECKED, NODE_CHECKED},
        {CHANGE_SELECTED, NODE_SELECTED},
        {CHANGE_ENABLED, NODE_DISABLED},
    };
    const struct tree_node *a = &before->tree->nodes[old];
    const struct tree_node *b = &after->tree->nodes[new];

    diff->matched++;
    if (strcmp(a->text, b->text) != 0 ||
        strcmp(a->description, b->description) != 0)
        add(diff, (struct tree_change){CHANGE_TEXT, old, new, false});
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if ((a->flags ^ b->flags) & flags[i].flag)
            add(diff, (struct tree_change){flags[i].kind, old, new, false});
    }
}

static int compare_changes(const void *a, const void *b)
{
    const struct tree_change *one = a;
    const struct tree_change *other = b;
    uint32_t place = one->after != TREE_NONE ? one->after : one->before;
    uint32_t other_place =
        other->after != TREE_NONE ? other->after : other->before;

    if (place != other_place)
        return place < other_place ? -1 : 1;
    return (int)one->kind - (int)other->kind;
}

#define CHANGES_OF_PAIR 4

static void list_changes(const struct side *before, const struct side *after,
                         struct shift shift, struct tree_diff *diff)
{
    struct shift back = {-shift.x, -shift.y};

    diff->changes =
        mem_new((size_t)CHANGES_OF_PAIR * before->count + after->count + 1,
                sizeof(*diff->changes));
    for (uint32_t i = 0; i < before->count; i++) {
        const struct item *item = &before->items[i];

        if (item->mate != TREE_NONE)
            add_pair(before, after, item->node, item->mate, diff);
        else
            add(diff, (struct tree_change){
                          CHANGE_VANISHED, item->node, TREE_NONE,
                          leaves_sight(before->tree, item->node, shift)});
    }
    for (uint32_t i = 0; i < after->count; i++) {
        const struct item *item = &after->items[i];

        if (item->mate == TREE_NONE)
            add(diff, (struct tree_change){
                          CHANGE_APPEARED, TREE_NONE, item->node,
                          leaves_sight(after->tree, item->node, back)});
    }
    qsort(diff->changes, diff->count, sizeof(*diff->changes), compare_changes);
}

void tree_diff(const struct tree *before, const struct tree *after,
               struct tree_diff *diff)
{
    struct side old = {.count = 0};
    struct side new = {.count = 0};
    struct matching matching = {.before = &old, .after = &new};

    *diff = (struct tree_diff)TREE_DIFF_INIT;
    collect(&old, before);
    collect(&new, after);
    sort_by(&old, key_of_all);
    sort_by(&new, key_of_all);
    matching.first_pass = true;
    match(&matching);
    matching.first_pass = false;
    matching.shift = find_shift(&old, &new);
    match(&matching);
    sort_by(&old, key_of_kind);
    sort_by(&new, key_of_kind);
    matching.in_place = true;
    match(&matching);
    diff->of_before = old.count;
    diff->of_after = new.count;
    diff->moved_x = matching.shift.x;
    diff->moved_y = matching.shift.y;
    list_changes(&old, &new, matching.shift, diff);
    free(old.items);
    free(new.items);
}
