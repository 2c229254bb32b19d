#include "process_provider/describe/node_context.h"

#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "process_provider/describe/node_label.h"

#define ROW_SHARE 0.6     /* of the screen: a row is not larger */
#define ROW_WIDTH 0.6     /* of its parent: a row is not narrower */
#define ROWS_ALIKE 3      /* alike views make a list */
#define ROW_NODES 400     /* of a row, that are looked at for its title */
#define CELL_SLACK 2      /* pixels, where sizes were rounded */
#define HEADING_LENGTH 48 /* bytes; longer texts are prose */
#define HEADING_LEVELS 8
#define TITLE_SHARE 0.2 /* of the screen's height: titles are above */

static double share(const struct tree *tree, uint32_t node)
{
    struct tree_rect screen = tree_screen(tree);
    int64_t area = rect_area(&screen);

    return area ? (double)rect_area(&tree->nodes[node].bounds) / (double)area
                : 0;
}

static int32_t width_of(const struct tree_node *node)
{
    return node->bounds.right - node->bounds.left;
}

static int32_t height_of(const struct tree_node *node)
{
    return node->bounds.bottom - node->bounds.top;
}

/* Rows. */

static bool is_alike(const struct tree_node *a, const struct tree_node *b)
{
    int32_t slack = width_of(a) / 20;

    return rect_area(&b->bounds) && !strcmp(a->class_name, b->class_name) &&
           abs(width_of(a) - width_of(b)) <= slack;
}

static bool is_stacked(const struct tree_node *a, const struct tree_node *b)
{
    return a->bounds.left == b->bounds.left &&
           (a->bounds.top >= b->bounds.bottom ||
            b->bounds.top >= a->bounds.bottom);
}

/* Count node among its siblings, as a row of their parent. */
static struct node_context_row count_row(const struct tree *tree, uint32_t node)
{
    struct node_context_row row = {.node = node,
                                   .list = tree->nodes[node].parent};
    const struct tree_node *one = &tree->nodes[node];
    const struct tree_node *list = &tree->nodes[row.list];
    bool is_list = list->role == ROLE_LIST;

    row.is_list = is_list;
    if (!is_list &&
        (!one->takes_taps || width_of(one) < ROW_WIDTH * width_of(list))) {
        row.node = TREE_NONE;
        return row;
    }

    for (uint32_t i = row.list + 1; i < list->end; i = tree->nodes[i].end) {
        const struct tree_node *other = &tree->nodes[i];

        if (i != node &&
            !(is_alike(one, other) && (is_list || is_stacked(one, other))))
            continue;
        row.shown++;
        if (i <= node)
            row.position++;
    }
    if (row.shown < (is_list ? 2 : ROWS_ALIKE))
        row.node = TREE_NONE;
    return row;
}

struct node_context_row node_context_row(const struct tree *tree, uint32_t node)
{
    struct node_context_row row = {.node = TREE_NONE};

    while (tree->nodes[node].parent != TREE_NONE &&
           share(tree, node) <= ROW_SHARE) {
        row = count_row(tree, node);
        if (row.node != TREE_NONE)
            return row;
        node = tree->nodes[node].parent;
    }
    row.node = TREE_NONE;
    return row;
}

/* Titles of rows. */

static bool share_line(const struct tree_node *a, const struct tree_node *b)
{
    return a->bounds.top < b->bounds.bottom && b->bounds.top < a->bounds.bottom;
}

/* The control between row and i that i is in, or is; TREE_NONE: none. */
static uint32_t control_around(const struct tree *tree, uint32_t row,
                               uint32_t i)
{
    for (; i != row; i = tree->nodes[i].parent) {
        if (tree->nodes[i].takes_taps)
            return i;
    }
    return TREE_NONE;
}

/* Does a text of the row belong to another control, and not to the node? */
static bool is_of_another(const struct tree *tree, uint32_t row, uint32_t text,
                          uint32_t node)
{
    uint32_t end = tree->nodes[row].end;

    if (share_line(&tree->nodes[text], &tree->nodes[node]))
        return false;
    for (uint32_t i = row + 1; i < end; i++) {
        if (tree->nodes[i].takes_taps && !tree_within(tree, i, text) &&
            !tree_within(tree, i, node) && !tree_within(tree, node, i) &&
            share_line(&tree->nodes[i], &tree->nodes[text]))
            return true;
    }
    return false;
}

/* How well a text serves as the title of node's row; 0: not at all. */
static unsigned title_rank(const struct tree *tree, uint32_t row, uint32_t text,
                           uint32_t node)
{
    const struct tree_node *one = &tree->nodes[text];
    bool above = one->bounds.bottom <= tree->nodes[node].bounds.top;
    uint32_t control = control_around(tree, row, text);

    if (control != TREE_NONE && !tree_within(tree, control, node))
        return above;
    if (is_of_another(tree, row, text, node))
        return 0;
    if (node_label_is_title(one))
        return 4;
    return above || share_line(one, &tree->nodes[node]) ? 3 : 2;
}

bool node_context_row_title(const struct tree *tree, uint32_t row,
                            uint32_t node, struct phrase *title)
{
    uint32_t end = tree->nodes[row].end;
    unsigned best = 0;
    int32_t top = 0;

    if (node_label_own(&tree->nodes[row], title))
        return true;
    if (end > row + ROW_NODES)
        end = row + ROW_NODES;
    for (uint32_t i = row + 1; i < end; i++) {
        struct phrase phrase;
        unsigned rank;

        if (i == node) {
            i = tree->nodes[i].end - 1;
            continue;
        }
        if (!rect_area(&tree->nodes[i].bounds) ||
            !node_label_own(&tree->nodes[i], &phrase) ||
            !phrase_has_words(phrase.text))
            continue;
        rank = title_rank(tree, row, i, node);
        if (!rank || rank < best ||
            (rank == best && tree->nodes[i].bounds.top >= top))
            continue;
        best = rank;
        top = tree->nodes[i].bounds.top;
        *title = phrase;
    }
    return best > 0;
}

/* Cells. */

static bool is_twin(const struct tree_node *a, const struct tree_node *b)
{
    return rect_area(&b->bounds) && !strcmp(a->class_name, b->class_name) &&
           !strcmp(a->id, b->id) &&
           abs(width_of(a) - width_of(b)) <= CELL_SLACK &&
           abs(height_of(a) - height_of(b)) <= CELL_SLACK;
}

/* Without an id, views above or below may be of another kind. */
struct node_context_cell node_context_cell(const struct tree *tree,
                                           uint32_t node)
{
    const struct tree_node *one = &tree->nodes[node];
    struct node_context_cell cell = {
        .row = 1, .column = 1, .rows = 1, .columns = 1};

    if (one->parent == TREE_NONE)
        return cell;
    for (uint32_t i = one->parent + 1; i < tree->nodes[one->parent].end;
         i = tree->nodes[i].end) {
        const struct tree_node *other = &tree->nodes[i];
        int32_t across = other->bounds.left - one->bounds.left;
        int32_t along = other->bounds.top - one->bounds.top;

        if (i == node || !is_twin(one, other))
            continue;
        if (abs(along) <= CELL_SLACK) {
            cell.columns++;
            cell.column += across < 0;
        } else if (abs(across) <= CELL_SLACK && *one->id) {
            cell.rows++;
            cell.row += along < 0;
        }
    }
    return cell;
}

/* Headings. */

/* The one text of a part of the tree that has nothing to be tapped. */
static bool only_text(const struct tree *tree, uint32_t node,
                      struct phrase *text)
{
    unsigned texts = 0;

    for (uint32_t i = node; i < tree->nodes[node].end; i++) {
        struct phrase phrase;

        if (tree->nodes[i].takes_taps)
            return false;
        if (!node_label_own(&tree->nodes[i], &phrase))
            continue;
        if (++texts > 1)
            return false;
        *text = phrase;
    }
    return texts == 1 && strlen(text->text) <= HEADING_LENGTH;
}

static bool heading_above(const struct tree *tree, uint32_t node,
                          struct phrase *heading)
{
    const struct tree_node *one = &tree->nodes[node];
    bool found = false;

    for (uint32_t i = one->parent + 1; i < node; i = tree->nodes[i].end) {
        struct phrase phrase;

        if (tree->nodes[i].bounds.bottom > one->bounds.top ||
            !rect_area(&tree->nodes[i].bounds))
            continue;
        if (only_text(tree, i, &phrase)) {
            *heading = phrase;
            found = true;
        } else if (strcmp(tree->nodes[i].class_name, one->class_name) != 0) {
            /* The heading was that of something else in between. */
            found = false;
        }
    }
    return found;
}

bool node_context_heading(const struct tree *tree, uint32_t node,
                          struct phrase *heading)
{
    for (int i = 0; i < HEADING_LEVELS; i++) {
        if (tree->nodes[node].parent == TREE_NONE)
            return false;
        if (heading_above(tree, node, heading))
            return true;
        node = tree->nodes[node].parent;
    }
    return false;
}

bool node_context_page(const struct tree *tree, uint32_t node,
                       struct phrase *title)
{
    for (; node != TREE_NONE; node = tree->nodes[node].parent) {
        if (tree->nodes[node].role == ROLE_PAGE &&
            node_label_own(&tree->nodes[node], title))
            return true;
    }
    return false;
}

bool node_context_is_dialog(const struct tree *tree, uint32_t node)
{
    struct tree_rect screen = tree_screen(tree);
    const struct tree_rect *bounds;

    while (tree->nodes[node].parent != TREE_NONE)
        node = tree->nodes[node].parent;
    bounds = &tree->nodes[node].bounds;
    return bounds->left > 0 && bounds->top > 0 && bounds->right < screen.right;
}

/* Screens. */

static bool is_of_system(const struct tree_node *node)
{
    return !strcmp(node->package, "com.android.systemui");
}

static bool contains_any(const char *text, const char *const *parts)
{
    for (; *parts; parts++) {
        if (strcasestr(text, *parts))
            return true;
    }
    return false;
}

static bool is_in_list(const struct tree *tree, uint32_t node)
{
    for (; node != TREE_NONE; node = tree->nodes[node].parent) {
        if (tree->nodes[node].flags & NODE_SCROLLABLE ||
            tree->nodes[node].role == ROLE_LIST)
            return true;
    }
    return false;
}

/* In a bar at the top, by its id or the classes around it. */
static bool is_title(const struct tree *tree, uint32_t node)
{
    static const char *const ids[] = {"title", "toolbar", "action_bar", NULL};
    static const char *const bars[] = {"Toolbar", "ActionBar", NULL};
    static const char *const subs[] = {"sub", NULL};
    const char *id = phrase_id_tail(tree->nodes[node].id);

    if (contains_any(id, ids) && !contains_any(id, subs))
        return !is_in_list(tree, node);
    for (int i = 0; i < 3 && node != TREE_NONE; i++) {
        const struct tree_node *one = &tree->nodes[node];

        if (contains_any(one->class_name, bars) ||
            contains_any(phrase_id_tail(one->id), ids + 1))
            return true;
        node = one->parent;
    }
    return false;
}

bool node_context_screen(const struct tree *tree, struct phrase *title)
{
    struct tree_rect screen = tree_screen(tree);
    int32_t above = (int32_t)(TITLE_SHARE * screen.bottom);

    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];

        if (node->takes_taps && rect_area(&node->bounds) &&
            node->bounds.bottom <= above) {
            i = node->end - 1;
            continue;
        }
        if (node->bounds.bottom <= above && rect_area(&node->bounds) &&
            !is_of_system(node) && is_title(tree, i) &&
            phrase_clean(node->text, title) &&
            strlen(title->text) <= HEADING_LENGTH)
            return true;
    }
    for (uint32_t i = 1; i < tree->window_count; i++) {
        if (phrase_clean(tree->windows[i].title, title))
            return true;
    }
    return false;
}

bool node_context_app(const struct tree *tree, uint32_t node,
                      struct phrase *app)
{
    if (node != TREE_NONE)
        return phrase_of_package(tree->nodes[node].package, app);
    for (uint32_t i = 0; i < tree->count; i = tree->nodes[i].end) {
        if (!is_of_system(&tree->nodes[i]))
            return phrase_of_package(tree->nodes[i].package, app);
    }
    return tree->count && phrase_of_package(tree->nodes[0].package, app);
}

bool node_context_is_search(const struct tree *tree, uint32_t list)
{
    static const char *const ids[] = {"result", "search", NULL};

    if (contains_any(phrase_id_tail(tree->nodes[list].id), ids))
        return true;
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];

        if (node->role == ROLE_FIELD && phrase_readable(node->text) &&
            strcmp(node->text, node->hint) != 0 &&
            contains_any(phrase_id_tail(node->id), ids))
            return true;
    }
    return false;
}
