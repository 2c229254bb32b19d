/*
 * Compares a recorded screen with the current one, which may have other words,
 * another language, other ids, another order and another size.
 *
 * Every recorded element is paired with at most one current element, the most
 * similar pairs first. An anchor (ids, texts, numbers, positions) counts as
 * much as it holds on the whole screen: where no recorded id is left, another
 * id says nothing; where all are, it says that the element is another.
 */
#ifndef RUNNER_OBSERVE_SCREEN_MATCH_H
#define RUNNER_OBSERVE_SCREEN_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "runner/observe/match_elements.h"

/* Elements that were found with less confidence are not touched. */
#define SCREEN_MATCH_MIN_CONFIDENCE 0.5

/* Screens that are less similar are different screens. */
#define SCREEN_MATCH_MIN_SIMILARITY 0.6

#define SCREEN_MATCH_REASON_MAX 120

enum screen_anchor {
    SCREEN_ANCHOR_ID,
    SCREEN_ANCHOR_TEXT,
    SCREEN_ANCHOR_NUMBERS,
    SCREEN_ANCHOR_KIND,
    SCREEN_ANCHOR_POSITION,
    SCREEN_ANCHORS,
};

/* How much of the recorded screen each anchor finds again, from 0 to 1. */
struct screen_carry {
    double of[SCREEN_ANCHORS];
};

struct screen_target {
    uint32_t node;     /* TREE_NONE: nothing on the screen is like it */
    double confidence; /* from 0 to 1 */
    double score;      /* similarity of the pair, from 0 to 1 */
    double margin;     /* its distance to the next best choice */
    char reason[SCREEN_MATCH_REASON_MAX]; /* "same id, text; other position" */
};

/* The data of both screens. All of it is borrowed; NULL is fine. */
struct screen_matcher {
    struct thesaurus *was; /* in the language of the recording */
    struct thesaurus *is;  /* in that of the phone */
    const struct carried_texts *texts;
    bool other_language; /* texts may be translated */
};

/*
 * Find the element of the recorded screen that `node` belongs to on the current
 * one.
 */
void screen_match_find(const struct screen_matcher *matcher,
                       const struct tree *was, uint32_t node,
                       const struct tree *is, struct screen_target *target);

/*
 * How similar two screens are, from 0 to 1: the similarity of their pairs, as a
 * share of all elements. carry (may be NULL) gets what holds.
 */
double screen_match_similarity(const struct screen_matcher *matcher,
                               const struct tree *was, const struct tree *is,
                               struct screen_carry *carry);

/*
 * Did what changed its state (checked, selected) between two recorded screens
 * get the same state on the current one? If not, why names it.
 */
bool screen_match_states(const struct screen_matcher *matcher,
                         const struct tree *before, const struct tree *after,
                         const struct tree *is,
                         char why[SCREEN_MATCH_REASON_MAX]);

#endif
