#include "runner/observe/selector_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/mem.h"
#include "process_provider/describe/node_label.h"
#include "process_provider/describe/tap_target.h"
#include "runner/observe/crop_match.h"
#include "runner/observe/selector_score.h"

/* The minimum score of a match. */
#define ENOUGH 0.6

/* Scores that differ by less are equal. */
#define HARDLY 0.001

#define DEPTH_MAX 8 /* nesting of selectors */
#define NEAREST 2   /* candidates in the error when nothing matches */

/* A node and its score. */
struct candidate {
    uint32_t node;
    struct selector_score score;
};

/* ---- visible nodes ---- */

static struct tree_rect cut_to(struct tree_rect rect, struct extent screen)
{
    if (rect.left < 0)
        rect.left = 0;
    if (rect.top < 0)
        rect.top = 0;
    if (screen.width && rect.right > screen.width)
        rect.right = screen.width;
    if (screen.height && rect.bottom > screen.height)
        rect.bottom = screen.height;
    return rect;
}

static struct tree_rect shown_part(const struct observation *seen,
                                   uint32_t node)
{
    return cut_to(seen->tree.nodes[node].bounds, seen->screen);
}

static bool is_shown(const struct observation *seen, uint32_t node)
{
    struct tree_rect rect = shown_part(seen, node);

    return !(seen->tree.nodes[node].flags & NODE_INVISIBLE) &&
           rect_area(&rect) > 0;
}

/* ---- candidates ---- */

/* Of two equal scores the clickable node is better, otherwise the first. */
static bool is_better(const struct tree *tree, const struct candidate *a,
                      const struct candidate *b)
{
    bool taps_a = tree->nodes[a->node].takes_taps;
    bool taps_b = tree->nodes[b->node].takes_taps;

    if (a->score.total > b->score.total + HARDLY)
        return true;
    if (a->score.total < b->score.total - HARDLY)
        return false;
    return taps_a != taps_b ? taps_a : a->node < b->node;
}

static bool is_beside(const struct tree_node *node,
                      const struct tree_node *other)
{
    return !other || (node->window == other->window &&
                      !strcmp(node->package, other->package));
}

/* Score all nodes within a node; the caller frees the array. */
static struct candidate *score_all(const struct selector_scope *place,
                                   const struct selector_scorer *scorer,
                                   uint32_t within, size_t *count)
{
    const struct tree *tree = &place->seen->tree;
    struct candidate *all = mem_new(tree->count + 1, sizeof(*all));

    *count = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        if ((within != TREE_NONE && !tree_within(tree, within, i)) ||
            !is_beside(&tree->nodes[i], place->beside) ||
            !is_shown(place->seen, i))
            continue;
        all[*count].node = i;
        selector_score_node(scorer, i, &all[*count].score);
        ++*count;
    }
    return all;
}

/* The best candidate except one; NULL: none. */
static const struct candidate *best_of(const struct tree *tree,
                                       const struct candidate *all,
                                       size_t count,
                                       const struct candidate *but)
{
    const struct candidate *best = NULL;

    for (size_t i = 0; i < count; i++) {
        if (&all[i] != but && (!best || is_better(tree, &all[i], best)))
            best = &all[i];
    }
    return best;
}

static bool as_good(const struct candidate *a, const struct candidate *best)
{
    return a->score.total > best->score.total - HARDLY;
}

/*
 * The nth of those with the best score, in tree order. A label and its row with
 * the same text are one element: the row.
 */
static const struct candidate *nth_of(const struct tree *tree,
                                      const struct candidate *all, size_t count,
                                      const struct candidate *best,
                                      const struct node_selector *selector,
                                      unsigned *equal)
{
    bool words = selector->text.count || selector->description.count;
    const struct candidate *chosen = NULL;
    uint32_t covered = 0; /* covered up to here by one that was counted */

    *equal = 0;
    for (size_t i = 0; i < count; i++) {
        if (!as_good(&all[i], best) || (words && all[i].node < covered))
            continue;
        covered = tree->nodes[all[i].node].end;
        if (++*equal == (unsigned)selector->nth)
            chosen = &all[i];
    }
    return selector->nth ? chosen : best;
}

/* ---- error messages ---- */

static void name_candidate(const struct tree *tree, uint32_t node, char *name,
                           size_t size)
{
    struct node_label label;
    const char *role = role_name(tree->nodes[node].role);

    node_label_of(tree, node, &label);
    snprintf(name, size, "%s '%.40s'", *role ? role : "view",
             label.source == NODE_LABEL_NONE ? "" : label.name.text);
}

/*
 * "button 'Sort by' (text)": a candidate, and the anchors that did not match.
 */
static void put_candidate(const struct tree *tree,
                          const struct candidate *candidate, char *text,
                          size_t size)
{
    char name[80];
    size_t length;
    bool first = true;

    name_candidate(tree, candidate->node, name, sizeof(name));
    snprintf(text, size, "%s (", name);
    for (int i = 0; i < SELECTOR_ANCHORS; i++) {
        const struct selector_score *score = &candidate->score;

        if (score->weight[i] <= 0 || score->grade[i] > 0.99)
            continue;
        length = strlen(text);
        snprintf(text + length, size - length, "%s%s",
                 first ? "not its " : ", ",
                 selector_anchor_name((enum selector_anchor)i));
        first = false;
    }
    length = strlen(text);
    snprintf(text + length, size - length, ")");
}

/* A short name of what is searched. */
static void put_wanted(const struct node_selector *selector, char *text,
                       size_t size)
{
    const char *what = selector->text.count ? selector->text.items[0]
                       : selector->description.count
                           ? selector->description.items[0]
                       : selector->id.count   ? selector->id.items[0]
                       : selector->role       ? selector->role
                       : selector->class_name ? selector->class_name
                       : selector->call       ? selector->call
                                              : "the place";

    clean_text_copy(text, size, what, strlen(what));
}

static bool fail_with_nearest(const struct tree *tree,
                              const struct node_selector *selector,
                              const struct candidate *all, size_t count,
                              struct err *err)
{
    const struct candidate *first = best_of(tree, all, count, NULL);
    const struct candidate *second = best_of(tree, all, count, first);
    char wanted[60], nearest[NEAREST][90];

    put_wanted(selector, wanted, sizeof(wanted));
    if (!first || first->score.total <= 0)
        return err_set(err, ERR_NOT_FOUND,
                       "'%s' is not on the screen, nor anything like it",
                       wanted);
    put_candidate(tree, first, nearest[0], sizeof(nearest[0]));
    if (!second || second->score.total <= 0)
        return err_set(err, ERR_NOT_FOUND,
                       "'%s' is not on the screen; nearest: %s", wanted,
                       nearest[0]);
    put_candidate(tree, second, nearest[1], sizeof(nearest[1]));
    return err_set(err, ERR_NOT_FOUND,
                   "'%s' is not on the screen; nearest: %s, %s", wanted,
                   nearest[0], nearest[1]);
}

/* ---- where to touch ---- */

static bool reaches(const struct tree *tree, uint32_t node, int x, int y)
{
    struct tap_target hit = tap_target_at(tree, x, y);

    return hit.node == TREE_NONE || tree_within(tree, node, hit.node) ||
           tree_within(tree, hit.node, node);
}

static struct action_point point_in(const struct tree_rect *rect, double x,
                                    double y)
{
    int width = rect->right - rect->left;
    int height = rect->bottom - rect->top;

    return (struct action_point){rect->left + (int)(x * (width - 1)),
                                 rect->top + (int)(y * (height - 1))};
}

/* The selector's point in the node, unless something covers it. */
static struct action_point touch_point(const struct tree *tree, uint32_t node,
                                       const struct node_selector *selector,
                                       const struct tree_rect *rect)
{
    static const double others[][2] = {{0.5, 0.5},  {0.5, 0.25}, {0.5, 0.75},
                                       {0.25, 0.5}, {0.75, 0.5}, {0.1, 0.1},
                                       {0.9, 0.9}};
    bool given = selector->relative_x > 0 || selector->relative_y > 0;
    struct action_point first =
        given ? point_in(rect, selector->relative_x, selector->relative_y)
              : point_in(rect, 0.5, 0.5);

    if (reaches(tree, node, first.x, first.y))
        return first;
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        struct action_point at = point_in(rect, others[i][0], others[i][1]);

        if (reaches(tree, node, at.x, at.y))
            return at;
    }
    return first;
}

struct action_point selector_touch_point(const struct observation *seen,
                                         uint32_t node,
                                         const struct node_selector *selector)
{
    struct tree_rect rect = shown_part(seen, node);

    return touch_point(&seen->tree, node, selector, &rect);
}

/* ---- finding ---- */

static bool find_node(const struct selector_scope *place,
                      const struct node_selector *selector, int depth,
                      struct selector_match *found, struct err *err);

static bool find_container(const struct selector_scope *place,
                           const struct node_selector *selector, int depth,
                           uint32_t *within, struct err *err)
{
    struct selector_match container = {.node = TREE_NONE};

    *within = TREE_NONE;
    if (!selector->inside)
        return true;
    if (depth == DEPTH_MAX)
        return err_set(err, ERR_LIMIT, "selectors are nested too deeply");
    if (!find_node(place, selector->inside, depth + 1, &container, err))
        return err_wrap(err, "its container");
    *within = container.node;
    return true;
}

static bool choose(const struct selector_scope *place,
                   const struct node_selector *selector,
                   const struct candidate *all, size_t count,
                   struct selector_match *found, struct err *err)
{
    const struct tree *tree = &place->seen->tree;
    const struct candidate *best = best_of(tree, all, count, NULL);
    char wanted[60];

    if (!best || best->score.total < ENOUGH)
        return fail_with_nearest(tree, selector, all, count, err);
    best = nth_of(tree, all, count, best, selector, &found->equal);
    if (!best) {
        put_wanted(selector, wanted, sizeof(wanted));
        return err_set(err, ERR_NOT_FOUND,
                       "there are only %u matches of '%s', not %d",
                       found->equal, wanted, selector->nth);
    }
    found->node = best->node;
    found->score = best->score.total;
    found->bounds = shown_part(place->seen, best->node);
    found->at = touch_point(tree, best->node, selector, &found->bounds);
    return true;
}

static bool find_node(const struct selector_scope *place,
                      const struct node_selector *selector, int depth,
                      struct selector_match *found, struct err *err)
{
    struct selector_scorer scorer;
    struct candidate *all;
    uint32_t within;
    size_t count;
    bool done;

    if (!selector_scorer_init(&scorer, &place->seen->tree, selector,
                              place->seen->screen))
        return err_set(err, ERR_INVALID, "the selector has no anchors");
    if (!find_container(place, selector, depth, &within, err))
        return false;
    all = score_all(place, &scorer, within, &count);
    done = choose(place, selector, all, count, found, err);
    free(all);
    return done;
}

/* ---- truth source, points and crops ---- */

static bool ask_truth_source(const struct selector_scope *place,
                             const char *call, struct selector_match *found,
                             struct err *err)
{
    struct truth_target given = {.shown = false};

    if (!place->truth_source)
        return err_set(err, ERR_UNSUPPORTED,
                       "only the built-in phone knows what '%.100s' is", call);
    if (!place->truth_source->ops->locate(place->truth_source, call, &given,
                                          err))
        return false;
    found->scroll = given.scroll;
    found->at = given.at;
    if (!given.shown)
        return err_set(err, ERR_NOT_FOUND,
                       "no element on the screen does '%.120s'", call);
    found->score = 1;
    found->equal = 1;
    found->bounds = (struct tree_rect){given.at.x, given.at.y, given.at.x + 1,
                                       given.at.y + 1};
    return true;
}

/* A selector with a point only. */
static bool is_only_point(const struct node_selector *selector)
{
    return selector->has_point && !selector->text.count &&
           !selector->description.count && !selector->id.count &&
           !selector->class_name && !selector->role && !selector->path &&
           !selector->crop;
}

static bool find_crop(const struct selector_scope *place,
                      const struct node_selector *selector,
                      struct selector_match *found, struct err *err)
{
    struct crop_match match;

    if (!crop_match_find(place->folder, selector->crop, &place->seen->png,
                         selector->has_point ? &selector->point : NULL, &match,
                         err))
        return false;
    found->bounds = (struct tree_rect){match.box.left, match.box.top,
                                       match.box.right, match.box.bottom};
    found->at = point_in(&found->bounds,
                         selector->relative_x > 0 ? selector->relative_x : 0.5,
                         selector->relative_y > 0 ? selector->relative_y : 0.5);
    found->score = match.likeness;
    found->equal = 1;
    return true;
}

bool selector_find(const struct selector_scope *place,
                   const struct node_selector *selector,
                   struct selector_match *found, struct err *err)
{
    struct err why;

    *found = (struct selector_match){.node = TREE_NONE};
    if (selector->call)
        return ask_truth_source(place, selector->call, found, err);
    if (is_only_point(selector)) {
        found->at = selector->point;
        found->score = 1;
        found->equal = 1;
        return true;
    }
    if (place->seen->has_tree) {
        if (find_node(place, selector, 0, found, err))
            return true;
    } else {
        (void)err_set(err, ERR_NOT_FOUND, "the screen has no UI tree");
    }
    /* Try crops after the tree; the error of the tree comes first. */
    why = *err;
    if (selector->crop && place->folder &&
        find_crop(place, selector, found, err))
        return true;
    *err = why;
    return false;
}
