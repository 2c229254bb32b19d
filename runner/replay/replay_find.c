/* Finds the target of a recorded step on the current screen. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/picture/png.h"
#include "process_provider/describe/node_label.h"
#include "process_provider/describe/tap_target.h"
#include "runner/observe/crop_match.h"
#include "runner/observe/selector_find.h"
#include "runner/replay/replay_private.h"

#define WAITS_MAX 3    /* observations for a target that is not there yet */
#define MARK_LOOKS 60  /* the same for what was marked to be waited for */
#define SCROLLS_MAX 10 /* to look for it, in each direction */

/* A scrollable view below this share of the screen's height is a row. */
#define ROW_HEIGHT 0.35

/* A target that is this similar is not searched elsewhere. */
#define STRONG_SCORE 0.6
#define STRONG_CONFIDENCE 0.75

#define CROP_HALF 60 /* pixels around a point that is in no element */

/* The recorded target of a step. */
struct recorded_target {
    struct tree tree;
    uint32_t node; /* TREE_NONE: no element of the tree */
    struct action_point point;
};

static void wanted_init(const struct replay *replay, size_t step,
                        struct recorded_target *wanted)
{
    *wanted = (struct recorded_target){
        .tree = TREE_INIT,
        .node = TREE_NONE,
        .point = replay->recorded->steps[step].action.from,
    };
    if (replay_load_tree(replay, step, &wanted->tree))
        wanted->node =
            tap_target_at(&wanted->tree, wanted->point.x, wanted->point.y).node;
}

/* ---- on one screen ---- */

static void match(const struct replay *replay,
                  const struct recorded_target *wanted,
                  struct screen_target *target)
{
    *target = (struct screen_target){.node = TREE_NONE};
    if (replay->seen.has_tree)
        screen_match_find(&replay->matcher, &wanted->tree, wanted->node,
                          &replay->seen.tree, target);
}

static bool is_enough(const struct screen_target *target)
{
    return target->node != TREE_NONE &&
           target->confidence >= SCREEN_MATCH_MIN_CONFIDENCE;
}

static bool is_strong(const struct screen_target *target)
{
    return target->node != TREE_NONE && target->score >= STRONG_SCORE &&
           target->confidence >= STRONG_CONFIDENCE;
}

/* Where in the element it was touched. */
static void touch(const struct replay *replay,
                  const struct recorded_target *wanted,
                  const struct screen_target *target, struct action_point *at)
{
    struct node_selector selector = {.nth = 0};

    selector_build(&wanted->tree, wanted->node, wanted->point, &selector);
    *at = selector_touch_point(&replay->seen, target->node, &selector);
    node_selector_release(&selector);
}

bool replay_shows_target(const struct replay *replay, size_t step)
{
    const struct action *action = &replay->recorded->steps[step].action;
    struct screen_target target = {.node = TREE_NONE};
    struct recorded_target wanted;

    if (!action->has_from)
        return false;
    wanted_init(replay, step, &wanted);
    if (wanted.node != TREE_NONE)
        match(replay, &wanted, &target);
    tree_release(&wanted.tree);
    return is_strong(&target);
}

/* ---- marks ---- */

static bool shows(const struct replay *replay,
                  const struct recorded_target *wanted)
{
    struct screen_target target;

    match(replay, wanted, &target);
    return is_enough(&target);
}

static uint32_t marked_at(const struct tree *tree, struct action_point at)
{
    uint32_t node = tap_target_shown(tree, at.x, at.y);

    return node != TREE_NONE ? node : tap_target_at(tree, at.x, at.y).node;
}

bool replay_await_mark(struct replay *replay, size_t screen, struct err *err)
{
    const struct replay_edit *edits = replay->options->edits;
    struct recorded_target wanted = {.tree = TREE_INIT, .node = TREE_NONE};
    bool done = true;
    bool found = false;

    if (!edits || screen >= replay->recorded->count || !edits[screen].waits)
        return true;
    if (replay_load_tree(replay, screen, &wanted.tree))
        wanted.node = marked_at(&wanted.tree, edits[screen].at);
    for (int look = 0;
         done && !found && wanted.node != TREE_NONE && look < MARK_LOOKS;
         look++) {
        done = look ? replay_wait(replay, err) : replay_observe(replay, err);
        found = done && shows(replay, &wanted);
    }
    tree_release(&wanted.tree);
    if (done && !found)
        replay_stop_at(replay, screen ? screen - 1 : 0, screen,
                       REPLAY_STOP_TARGET,
                       "what it waits for is not on the screen");
    return done;
}

/* ---- by scrolling ---- */

static bool can_scroll(const struct observation *seen)
{
    for (uint32_t i = 0; seen->has_tree && i < seen->tree.count; i++) {
        if (seen->tree.nodes[i].flags & NODE_SCROLLABLE)
            return true;
    }
    return false;
}

/* *moved: the screen has changed. */
static bool scroll(struct replay *replay, enum action_direction direction,
                   const struct action_point *at, bool *moved, struct err *err)
{
    const struct action action = {.kind = ACTION_SCROLL,
                                  .has_from = at != NULL,
                                  .from =
                                      at ? *at : (struct action_point){0, 0},
                                  .direction = direction};
    uint64_t before = replay->seen.screen_hash;

    if (!replay_perform(replay, &action, err) || !replay_observe(replay, err))
        return false;
    replay->end->extra_scrolls++;
    *moved = replay->seen.screen_hash != before;
    return true;
}

/* Scroll until the target is surely there, or nothing moves. */
static bool search(struct replay *replay, const struct recorded_target *wanted,
                   enum action_direction direction,
                   const struct action_point *at, int scrolls,
                   struct screen_target *target, struct err *err)
{
    bool moved = true;

    for (int i = 0; i < scrolls && moved; i++) {
        if (!scroll(replay, direction, at, &moved, err))
            return false;
        match(replay, wanted, target);
        if (is_strong(target))
            return true;
    }
    return true;
}

static double height_of(const struct tree *tree, uint32_t node)
{
    struct tree_rect screen = tree_screen(tree);
    const struct tree_rect *bounds = &tree->nodes[node].bounds;

    return (double)(bounds->bottom - bounds->top) /
           (screen.bottom > 0 ? screen.bottom : 1);
}

/* The row that is scrolled sideways and has the recorded target. */
static uint32_t row_around(const struct recorded_target *wanted)
{
    uint32_t node = wanted->node;

    while (node != TREE_NONE &&
           !(wanted->tree.nodes[node].flags & NODE_SCROLLABLE))
        node = wanted->tree.nodes[node].parent;
    return node != TREE_NONE && height_of(&wanted->tree, node) < ROW_HEIGHT
               ? node
               : TREE_NONE;
}

/* The middle of the current row that is like the recorded one. */
static bool find_row(const struct replay *replay,
                     const struct recorded_target *wanted,
                     struct action_point *at)
{
    const struct tree *tree = &replay->seen.tree;
    struct tree_rect screen = tree_screen(&wanted->tree);
    uint32_t row = row_around(wanted);
    double nearest = 1;
    bool found = false;
    double was;

    if (row == TREE_NONE || screen.bottom <= 0)
        return false;
    was = (double)wanted->tree.nodes[row].bounds.top / screen.bottom;
    screen = tree_screen(tree);
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_rect *bounds = &tree->nodes[i].bounds;
        double away = fabs((double)bounds->top / screen.bottom - was);

        if (!(tree->nodes[i].flags & NODE_SCROLLABLE) ||
            height_of(tree, i) >= ROW_HEIGHT || away >= nearest)
            continue;
        nearest = away;
        found = true;
        *at = (struct action_point){(bounds->left + bounds->right) / 2,
                                    (bounds->top + bounds->bottom) / 2};
    }
    return found;
}

/* A doubtful target may be another; the right one may be out of sight. */
static bool look_further(struct replay *replay,
                         const struct recorded_target *wanted,
                         struct screen_target *target, struct err *err)
{
    struct action_point row;
    bool sideways;

    if (!can_scroll(&replay->seen))
        return true;
    sideways = find_row(replay, wanted, &row);
    return search(replay, wanted, sideways ? DIRECTION_RIGHT : DIRECTION_DOWN,
                  sideways ? &row : NULL, SCROLLS_MAX, target, err) &&
           (is_strong(target) ||
            search(replay, wanted, sideways ? DIRECTION_LEFT : DIRECTION_UP,
                   sideways ? &row : NULL, 2 * SCROLLS_MAX, target, err));
}

/* ---- outside of the tree ---- */

/*
 * A place that is in no element, such as in a game: it must look as it did, and
 * the screen must have the recorded size.
 */
static void find_by_crop(const struct replay *replay, size_t step,
                         const struct recorded_target *wanted,
                         struct action_point *at, struct replay_step *log)
{
    struct picture was = PICTURE_INIT, now = PICTURE_INIT, crop = PICTURE_INIT;
    struct crop_match match = {.likeness = 0};
    struct box box = {wanted->point.x - CROP_HALF, wanted->point.y - CROP_HALF,
                      wanted->point.x + CROP_HALF, wanted->point.y + CROP_HALF};
    struct err ignored;

    if (replay_load_screen(replay, step, &was) &&
        png_decode(buf_cstr(&replay->seen.png), replay->seen.png.length, &now,
                   &ignored) &&
        was.width == now.width && was.height == now.height &&
        crop_match_cut(&was, &box, &crop, &ignored))
        crop_match_search(&now, &crop, &wanted->point, &match);
    if (match.likeness >= CROP_MATCH_MIN_LIKENESS) {
        log->confidence = match.likeness;
        at->x = match.box.left + wanted->point.x - box.left;
        at->y = match.box.top + wanted->point.y - box.top;
    }
    snprintf(log->reason, sizeof(log->reason), "%s",
             log->confidence > 0 ? "same picture" : "other picture");
    picture_release(&was);
    picture_release(&now);
    picture_release(&crop);
}

/* ---- finding ---- */

static void stop_without(struct replay *replay, size_t step,
                         const struct recorded_target *wanted,
                         const struct screen_target *target,
                         const struct replay_step *log)
{
    struct node_label label = {.source = NODE_LABEL_NONE};
    char why[REPLAY_WHY_MAX];

    if (wanted->node != TREE_NONE)
        node_label_of(&wanted->tree, wanted->node, &label);
    if (target->node == TREE_NONE)
        snprintf(why, sizeof(why),
                 "'%.60s' is not on the screen, nor anything like it%s%s",
                 label.source == NODE_LABEL_NONE ? "the place"
                                                 : label.name.text,
                 log->reason[0] ? ": " : "", log->reason);
    else
        snprintf(why, sizeof(why),
                 "'%.60s' is not on the screen; nearest with confidence %.2f: "
                 "%s",
                 label.source == NODE_LABEL_NONE ? "the target"
                                                 : label.name.text,
                 target->confidence, target->reason);
    replay_stop_at(replay, step, step, REPLAY_STOP_TARGET, why);
}

/* Look until the target is surely there. target is the last one seen. */
static bool await_target(struct replay *replay,
                         const struct recorded_target *wanted,
                         struct screen_target *target, struct err *err)
{
    match(replay, wanted, target);
    for (int i = 0; i < WAITS_MAX && !is_enough(target); i++) {
        if (!replay_wait(replay, err))
            return false;
        match(replay, wanted, target);
    }
    return is_strong(target) || look_further(replay, wanted, target, err);
}

bool replay_find(struct replay *replay, size_t step, struct action_point *at,
                 struct replay_step *log, struct err *err)
{
    struct screen_target target = {.node = TREE_NONE};
    struct recorded_target wanted;
    bool done = true;

    wanted_init(replay, step, &wanted);
    if (wanted.node == TREE_NONE) {
        find_by_crop(replay, step, &wanted, at, log);
    } else {
        done = await_target(replay, &wanted, &target, err);
        log->confidence = target.confidence;
        snprintf(log->reason, sizeof(log->reason), "%s", target.reason);
        if (done && is_enough(&target))
            touch(replay, &wanted, &target, at);
    }
    if (done && log->confidence < SCREEN_MATCH_MIN_CONFIDENCE)
        stop_without(replay, step, &wanted, &target, log);
    tree_release(&wanted.tree);
    return done;
}
