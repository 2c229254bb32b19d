/*
 * The selector engine: finds a thing on the screen again by a bundle of clues
 * (tasks/selector.h), of which some may have changed since. Gold, replays and
 * recordings all use it.
 *
 * Each node of the tree is scored: the share of the clues that fit it, by
 * weight. What many nodes have in common (the id of a list's rows) counts for
 * little. The best node is found when enough fits; otherwise the error says
 * what came nearest, and which clues failed it.
 */
#ifndef RUNNER_FIND_H
#define RUNNER_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "process_provider/tree.h"
#include "runner/act.h"
#include "runner/observe.h"
#include "runner/oracle.h"
#include "tasks/selector.h"

struct found {
    struct action_point at; /* where to touch it, or what to scroll */
    uint32_t node;          /* TREE_NONE: the oracle or a picture tells */
    struct tree_rect bounds;
    double score;   /* from 0 to 1 */
    unsigned equal; /* nodes that fit as well: 1 is it alone */
    /* When it is not there: where the reader must go for it, with the finger at
     * `at`; NONE: nobody knows. */
    enum action_direction scroll;
};

/* Where things are looked for. */
struct find_place {
    const struct observation *seen; /* tree, and picture for crops */
    struct oracle *oracle;          /* for "call"; NULL: there is none */
    const char *folder; /* where crops are; NULL: they are not looked at */
};

/*
 * Find it. Fails with ERR_NOT_FOUND when it is not on the screen, and says why
 * (found->scroll is then set), with ERR_INVALID for a selector without clues,
 * with ERR_UNSUPPORTED for a call where there is no oracle, and as the oracle.
 */
MUST_USE bool find_target(const struct find_place *place,
                          const struct selector *selector, struct found *found,
                          struct err *err);

/* Who waits for a thing: all are borrowed. */
struct find_wait {
    struct observer *observer;
    struct actor *actor; /* may scroll; NULL: it does not */
    struct oracle *oracle;
    const char *folder;
    int64_t milliseconds; /* on the phone's clock; 0: as it is now */
    int scrolls;          /* at most; 0: none */
};

/*
 * Wait for it, with fresh observations instead of sleeping; seen is the last
 * of them. With scrolls, the screen is scrolled when it is not there: where the
 * oracle says, and else down until nothing moves any more. Fails as
 * find_target, observer_see and actor_do.
 */
MUST_USE bool find_wait(const struct find_wait *wait,
                        const struct selector *selector, struct deadline by,
                        struct observation *seen, struct found *found,
                        struct err *err);

/*
 * Clues for a node that was touched at a point. The caller releases the
 * selector. The crop is left out: see crop_save.
 */
void find_clues(const struct tree *tree, uint32_t node,
                struct action_point point, struct selector *selector);

/* Append a node's place in the tree: "0/1/3", from the root. */
void find_path(const struct tree *tree, uint32_t node, struct buf *path);

/*
 * How alike two screens are, from 0 to 1: of the telling nodes, how many are
 * on both. Digits (clocks, counters, prices), what was typed and the system's
 * bars do not count.
 */
double find_similarity(const struct tree *a, const struct tree *b);

#endif
