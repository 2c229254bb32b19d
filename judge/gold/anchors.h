/*
 * The parts of a gold trajectory that can be found again whatever the wording
 * and layout of the app: names that were typed, tapped or part of the
 * instruction, and numbers that a step changed.
 */
#ifndef JUDGE_GOLD_ANCHORS_H
#define JUDGE_GOLD_ANCHORS_H

#include "judge/evidence/episode_evidence.h"
#include "judge/gold/key_steps.h"
#include "judge/gold/thesaurus.h"
#include "tasks/json/text_list.h"

struct anchors {
    const struct episode_evidence *gold; /* borrowed, as key_steps */
    const struct key_steps *key_steps;
    struct thesaurus *thesaurus; /* owned */
    struct text_list names;      /* of content, not of controls */
    struct text_list looked_up;  /* those that are parts of typed texts */
    struct buf keyed;            /* the digits that were tapped on keypads */
};

void anchors_init(struct anchors *anchors, const struct episode_evidence *gold,
                  const struct key_steps *key_steps);
void anchors_release(struct anchors *anchors);

/*
 * Does the touched element have a proper name, such as a product's, rather than
 * a word of user interfaces?
 */
bool anchors_is_name(const struct anchors *anchors,
                     const struct episode_evidence_step *step);

/* A name without information: a letter, an emoji. */
bool anchors_is_short(const char *name);

/*
 * The meaning of a control, by its name or, where that is short, its details;
 * NULL: none.
 */
const struct thesaurus_meaning *anchors_meaning_of(
    const struct anchors *anchors, const struct node_label *label);

/* The same for a step that touches one; NULL for content. */
const struct thesaurus_meaning *anchors_meaning(
    const struct anchors *anchors, const struct episode_evidence_step *step);

/* Does a screen show it as a separate text? */
bool anchors_shows_whole(const struct tree *tree, const char *text);

/* Names that a screen shows as separate texts, at most max; added. */
void anchors_names_on(const struct anchors *anchors, const struct tree *tree,
                      size_t max, struct text_list *names);

/*
 * Numbers that key steps of earlier layers changed and that a screen shows, the
 * latest first, at most max; added.
 */
void anchors_numbers_on(const struct anchors *anchors, const struct tree *tree,
                        size_t layer, size_t max, struct text_list *numbers);

/* Numbers of the instruction that only the later screen shows; added. */
void anchors_asked_numbers(const struct anchors *anchors,
                           const struct tree *first, const struct tree *later,
                           size_t max, struct text_list *numbers);

/* Has the instruction the first number of a text? */
bool anchors_asks_number_of(const struct anchors *anchors, const char *text);

/* Numbers that a step produced as separate texts, at most max; added. */
void anchors_new_numbers(const struct anchors *anchors,
                         const struct episode_evidence_step *step, size_t max,
                         struct text_list *numbers);

/* The same for numbers that are hardly a coincidence. */
void anchors_effect(const struct anchors *anchors,
                    const struct episode_evidence_step *step, size_t max,
                    struct text_list *numbers);

/* The same for numbers on the last screen that no earlier screen shows. */
void anchors_last_numbers(const struct anchors *anchors, size_t max,
                          struct text_list *numbers);

/*
 * Is a key step a key of a keypad, one of many taps for one input? Their
 * combined effect is checked at the step that follows them.
 */
bool anchors_is_key(const struct anchors *anchors, size_t key_step);

/* Is it a key step? */
bool anchors_is_key_step(const struct anchors *anchors,
                         const struct episode_evidence_step *step);

/* Is the step before it such a key, whether that is a key step or not? */
bool anchors_follows_key(const struct anchors *anchors,
                         const struct episode_evidence_step *step);

/*
 * The titles of the first rows that a step brought into an order not seen
 * before; none are added when there are no such rows.
 */
void anchors_order_after(const struct anchors *anchors,
                         const struct episode_evidence_step *step,
                         struct text_list *names);

/*
 * The titles of the first rows of a list that a step opened, where no earlier
 * screen shows them; none are added when there is no such list.
 */
void anchors_new_rows(const struct anchors *anchors,
                      const struct episode_evidence_step *step,
                      struct text_list *names);

/* Does it contain letters, not only digits and signs? */
bool anchors_has_letters(const char *text);

/* Append a pattern that matches exactly this text. */
void anchors_literal(const char *text, struct buf *pattern);

#endif
