/*
 * What of a gold trajectory will be found again however the app is worded and
 * arranged: names that were typed, tapped or asked for, and numbers that a step
 * changed.
 */
#ifndef JUDGE_CLUES_H
#define JUDGE_CLUES_H

#include "judge/dossier.h"
#include "judge/stars.h"
#include "judge/thesaurus.h"
#include "tasks/texts.h"

struct clues {
    const struct dossier *gold; /* borrowed, as stars */
    const struct stars *stars;
    struct thesaurus *thesaurus; /* owned */
    struct texts names;          /* of things, not of controls */
    struct buf keyed;            /* the digits that were tapped on keypads */
};

void clues_init(struct clues *clues, const struct dossier *gold,
                const struct stars *stars);
void clues_release(struct clues *clues);

/*
 * Is what a step touched called by a name of its own, such as a product, and
 * not by a word of interfaces?
 */
bool clues_is_name(const struct clues *clues, const struct dossier_step *step);

/* Names that a screen shows as texts of their own, at most max; added. */
void clues_names_on(const struct clues *clues, const struct tree *tree,
                    size_t max, struct texts *names);

/*
 * Numbers that starred steps of layers below that one put in place of others,
 * and that a screen shows, the latest first, at most max; added.
 */
void clues_numbers_on(const struct clues *clues, const struct tree *tree,
                      size_t layer, size_t max, struct texts *numbers);

/* Numbers that were asked for, and that only the later screen shows; added. */
void clues_asked_numbers(const struct clues *clues, const struct tree *first,
                         const struct tree *later, size_t max,
                         struct texts *numbers);

/* Numbers that came of a step and stand alone, at most max; added. */
void clues_new_numbers(const struct clues *clues,
                       const struct dossier_step *step, size_t max,
                       struct texts *numbers);

/* Numbers that came of a step and are hardly there by chance; the same. */
void clues_effect(const struct clues *clues, const struct dossier_step *step,
                  size_t max, struct texts *numbers);

/* Numbers that the last screen shows, and none before it; the same. */
void clues_last_numbers(const struct clues *clues, size_t max,
                        struct texts *numbers);

/*
 * Is a star a key of a keypad, one of many taps for one input? What comes of
 * them all is told by the step that follows them.
 */
bool clues_is_key(const struct clues *clues, size_t star);

/*
 * What the first rows are about that a step brought into an order that they
 * were not seen in before; none are added when there are no such rows.
 */
void clues_order_after(const struct clues *clues,
                       const struct dossier_step *step, struct texts *names);

/* Are there letters in it, and not only digits and signs? */
bool clues_has_letters(const char *text);

/* Append a pattern that matches only text, wholly. */
void clues_literal(const char *text, struct buf *pattern);

#endif
