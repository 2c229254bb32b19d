/*
 * The selector engine: finds an element on the screen by several anchors
 * (tasks/task/node_selector.h), some of which may have changed. Gold steps,
 * replays and recordings use it.
 *
 * Each node of the tree gets a score: the share of the anchors that match it,
 * by weight. An anchor that many nodes have (the id of a list's rows) has
 * little weight. The best node is found if its score is high enough; otherwise
 * the error names the nearest one and the anchors that did not match.
 */
#ifndef RUNNER_OBSERVE_SELECTOR_FIND_H
#define RUNNER_OBSERVE_SELECTOR_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "process_provider/tree/tree.h"
#include "runner/device/actor.h"
#include "runner/device/truth_source.h"
#include "runner/observe/observer.h"
#include "tasks/task/node_selector.h"

struct selector_match {
    struct action_point at; /* where to touch it, or where to scroll */
    uint32_t node;          /* TREE_NONE: found by the truth source or a crop */
    struct tree_rect bounds;
    double score;   /* from 0 to 1 */
    unsigned equal; /* number of nodes with this score, itself included */
    /*
     * If it is not on the screen: the direction to scroll, with the finger at
     * `at`; NONE: not known.
     */
    enum action_direction scroll;
};

/* Where to look for an element. */
struct selector_scope {
    const struct observation *seen; /* its tree, and its screenshot for crops */
    struct truth_source *truth_source; /* for the anchor "call"; NULL: none */
    const char *folder; /* folder of crops; NULL: crops are ignored */
    /* Only nodes of the tree with its package and window; NULL: all. */
    const struct tree_node *beside;
};

/*
 * Find an element. Fails with ERR_NOT_FOUND and the reason when it is not on
 * the screen (found->scroll is then set), ERR_INVALID for a selector without
 * anchors, ERR_UNSUPPORTED for a call without a truth source, and as the truth
 * source.
 */
MUST_USE bool selector_find(const struct selector_scope *place,
                            const struct node_selector *selector,
                            struct selector_match *found, struct err *err);

/* How to wait for an element. All pointers are borrowed. */
struct selector_wait {
    struct observer *observer;
    struct actor *actor; /* scrolls; NULL: no scrolling */
    struct truth_source *truth_source;
    const char *folder;
    int64_t milliseconds; /* on the phone's clock; 0: only the current screen */
    int scrolls;          /* the most scrolls; 0: none */
};

/*
 * Observe the phone until the element is there; seen is the last observation.
 * With scrolls, the screen is scrolled when it is missing: as the truth source
 * says, otherwise down until nothing moves. Fails as selector_find,
 * observer_observe and actor_perform.
 */
MUST_USE bool selector_wait(const struct selector_wait *wait,
                            const struct node_selector *selector,
                            struct deadline by, struct observation *seen,
                            struct selector_match *found, struct err *err);

/*
 * Build a selector for a node that was touched at a point. The caller releases
 * it. It has no crop: see crop_match_save.
 */
void selector_build(const struct tree *tree, uint32_t node,
                    struct action_point point, struct node_selector *selector);

/*
 * Where to touch a node of the observed screen: the selector's relative point,
 * or another one where that is covered.
 */
struct action_point selector_touch_point(const struct observation *seen,
                                         uint32_t node,
                                         const struct node_selector *selector);

/* Append a node's path from the root of the tree, such as "0/1/3". */
void selector_node_path(const struct tree *tree, uint32_t node,
                        struct buf *path);

/*
 * How similar two screens are, from 0 to 1: the share of significant nodes that
 * are on both. Digits (clocks, counters, prices), typed text and the system
 * bars are ignored.
 */
double selector_screen_similarity(const struct tree *a, const struct tree *b);

#endif
