#include "runner/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "process_provider/label.h"
#include "process_provider/target.h"
#include "runner/crop.h"
#include "runner/find_score.h"

/* Of the clues, by weight: so much must fit. */
#define ENOUGH 0.6

/* Scores that differ by less are equal. */
#define HARDLY 0.001

#define DEPTH_MAX 8 /* of selectors inside of selectors */
#define NEAREST 2   /* that are told of when nothing fits */

/* A node and how well it fits. */
struct candidate {
    uint32_t node;
    struct find_score score;
};

/* ---- what can be found at all ---- */

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

/* ---- the best ---- */

/* Of two that fit as well, what takes taps; and else what comes first. */
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

/* Score all nodes within a node; the caller frees the array. */
static struct candidate *score_all(const struct observation *seen,
                                   const struct find_scorer *scorer,
                                   uint32_t within, size_t *count)
{
    const struct tree *tree = &seen->tree;
    struct candidate *all = mem_new(tree->count + 1, sizeof(*all));

    *count = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        if ((within != TREE_NONE && !tree_within(tree, within, i)) ||
            !is_shown(seen, i))
            continue;
        all[*count].node = i;
        find_score(scorer, i, &all[*count].score);
        ++*count;
    }
    return all;
}

/* The best, but for one; NULL for none. */
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
 * The nth of those that fit as well as the best, in the tree's order. A label
 * and the row around it that says the same are one thing: the row.
 */
static const struct candidate *nth_of(const struct tree *tree,
                                      const struct candidate *all, size_t count,
                                      const struct candidate *best,
                                      const struct selector *selector,
                                      unsigned *equal)
{
    bool words = selector->text.count || selector->description.count;
    const struct candidate *chosen = NULL;
    uint32_t covered = 0; /* up to here by one that was counted */

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

/* ---- why not ---- */

static void name_candidate(const struct tree *tree, uint32_t node, char *name,
                           size_t size)
{
    struct label label;
    const char *role = role_name(tree->nodes[node].role);

    label_node(tree, node, &label);
    snprintf(name, size, "%s '%.40s'", *role ? role : "view",
             label.source == LABEL_NONE ? "" : label.name.text);
}

/* "button 'Sort by' (text)": what came near, and which clues it fails. */
static void tell_candidate(const struct tree *tree,
                           const struct candidate *candidate, char *text,
                           size_t size)
{
    char name[80];
    size_t length;
    bool first = true;

    name_candidate(tree, candidate->node, name, sizeof(name));
    snprintf(text, size, "%s (", name);
    for (int i = 0; i < FIND_CLUES; i++) {
        const struct find_score *score = &candidate->score;

        if (score->weight[i] <= 0 || score->grade[i] > 0.99)
            continue;
        length = strlen(text);
        snprintf(text + length, size - length, "%s%s",
                 first ? "not its " : ", ", find_clue_name((enum find_clue)i));
        first = false;
    }
    length = strlen(text);
    snprintf(text + length, size - length, ")");
}

/* What is looked for, in a few words. */
static void tell_wanted(const struct selector *selector, char *text,
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

    text_copy_clean(text, size, what, strlen(what));
}

static bool tell_nearest(const struct tree *tree,
                         const struct selector *selector,
                         const struct candidate *all, size_t count,
                         struct err *err)
{
    const struct candidate *first = best_of(tree, all, count, NULL);
    const struct candidate *second = best_of(tree, all, count, first);
    char wanted[60], nearest[NEAREST][90];

    tell_wanted(selector, wanted, sizeof(wanted));
    if (!first || first->score.total <= 0)
        return err_set(err, ERR_NOT_FOUND,
                       "'%s' is not on the screen, nor anything like it",
                       wanted);
    tell_candidate(tree, first, nearest[0], sizeof(nearest[0]));
    if (!second || second->score.total <= 0)
        return err_set(err, ERR_NOT_FOUND,
                       "'%s' is not on the screen; nearest: %s", wanted,
                       nearest[0]);
    tell_candidate(tree, second, nearest[1], sizeof(nearest[1]));
    return err_set(err, ERR_NOT_FOUND,
                   "'%s' is not on the screen; nearest: %s, %s", wanted,
                   nearest[0], nearest[1]);
}

/* ---- where to touch ---- */

static bool reaches(const struct tree *tree, uint32_t node, int x, int y)
{
    struct target hit = target_at(tree, x, y);

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

/* Where it is told to, unless something lies above: then where nothing does. */
static struct action_point touch_point(const struct tree *tree, uint32_t node,
                                       const struct selector *selector,
                                       const struct tree_rect *rect)
{
    static const double others[][2] = {{0.5, 0.5},  {0.5, 0.25}, {0.5, 0.75},
                                       {0.25, 0.5}, {0.75, 0.5}, {0.1, 0.1},
                                       {0.9, 0.9}};
    bool told = selector->relative_x > 0 || selector->relative_y > 0;
    struct action_point first =
        told ? point_in(rect, selector->relative_x, selector->relative_y)
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

/* ---- finding ---- */

static bool find_node(const struct find_place *place,
                      const struct selector *selector, int depth,
                      struct found *found, struct err *err);

static bool find_container(const struct find_place *place,
                           const struct selector *selector, int depth,
                           uint32_t *within, struct err *err)
{
    struct found container = {.node = TREE_NONE};

    *within = TREE_NONE;
    if (!selector->inside)
        return true;
    if (depth == DEPTH_MAX)
        return err_set(err, ERR_LIMIT, "too many selectors in each other");
    if (!find_node(place, selector->inside, depth + 1, &container, err))
        return err_wrap(err, "what it is inside of");
    *within = container.node;
    return true;
}

static bool choose(const struct find_place *place,
                   const struct selector *selector, const struct candidate *all,
                   size_t count, struct found *found, struct err *err)
{
    const struct tree *tree = &place->seen->tree;
    const struct candidate *best = best_of(tree, all, count, NULL);
    char wanted[60];

    if (!best || best->score.total < ENOUGH)
        return tell_nearest(tree, selector, all, count, err);
    best = nth_of(tree, all, count, best, selector, &found->equal);
    if (!best) {
        tell_wanted(selector, wanted, sizeof(wanted));
        return err_set(err, ERR_NOT_FOUND,
                       "there are only %u of '%s', and not %d", found->equal,
                       wanted, selector->nth);
    }
    found->node = best->node;
    found->score = best->score.total;
    found->bounds = shown_part(place->seen, best->node);
    found->at = touch_point(tree, best->node, selector, &found->bounds);
    return true;
}

static bool find_node(const struct find_place *place,
                      const struct selector *selector, int depth,
                      struct found *found, struct err *err)
{
    struct find_scorer scorer;
    struct candidate *all;
    uint32_t within;
    size_t count;
    bool done;

    if (!find_scorer_init(&scorer, &place->seen->tree, selector,
                          place->seen->screen))
        return err_set(err, ERR_INVALID, "a selector without clues");
    if (!find_container(place, selector, depth, &within, err))
        return false;
    all = score_all(place->seen, &scorer, within, &count);
    done = choose(place, selector, all, count, found, err);
    free(all);
    return done;
}

/* ---- other ways ---- */

static bool ask_oracle(const struct find_place *place, const char *call,
                       struct found *found, struct err *err)
{
    struct oracle_place told = {.shown = false};

    if (!place->oracle)
        return err_set(err, ERR_UNSUPPORTED,
                       "only the built-in phone knows what '%.100s' is", call);
    if (!place->oracle->ops->locate(place->oracle, call, &told, err))
        return false;
    found->scroll = told.scroll;
    found->at = told.at;
    if (!told.shown)
        return err_set(err, ERR_NOT_FOUND,
                       "nothing on the screen does '%.120s'", call);
    found->score = 1;
    found->equal = 1;
    found->bounds =
        (struct tree_rect){told.at.x, told.at.y, told.at.x + 1, told.at.y + 1};
    return true;
}

/* A place alone, where no tree tells more. */
static bool is_only_point(const struct selector *selector)
{
    return selector->has_point && !selector->text.count &&
           !selector->description.count && !selector->id.count &&
           !selector->class_name && !selector->role && !selector->path &&
           !selector->crop;
}

static bool find_crop(const struct find_place *place,
                      const struct selector *selector, struct found *found,
                      struct err *err)
{
    struct crop_match match;

    if (!crop_find(place->folder, selector->crop, &place->seen->png,
                   selector->has_point ? &selector->point : NULL, &match, err))
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

bool find_target(const struct find_place *place,
                 const struct selector *selector, struct found *found,
                 struct err *err)
{
    struct err why;

    *found = (struct found){.node = TREE_NONE};
    if (selector->call)
        return ask_oracle(place, selector->call, found, err);
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
        (void)err_set(err, ERR_NOT_FOUND, "the screen has no tree to look in");
    }
    /* Pictures tell where trees do not; why those failed is said first. */
    why = *err;
    if (selector->crop && place->folder &&
        find_crop(place, selector, found, err))
        return true;
    *err = why;
    return false;
}
