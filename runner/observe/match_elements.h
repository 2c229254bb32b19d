/*
 * The elements of a screen, as they are compared between two screens that may
 * differ in language, wording, ids, order and size: controls with the texts
 * inside them, and texts that stand alone.
 */
#ifndef RUNNER_OBSERVE_MATCH_ELEMENTS_H
#define RUNNER_OBSERVE_MATCH_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/gold/thesaurus.h"
#include "process_provider/tree/tree.h"
#include "tasks/json/text_list.h"

#define MATCH_ELEMENT_TEXTS 12
#define MATCH_ELEMENT_NUMBERS 16
#define MATCH_ELEMENTS_MAX 400

/*
 * Texts of a recording and the current ones in their place, such as the name of
 * a product in another language: two lists of the same length.
 */
struct carried_texts {
    struct text_list was;
    struct text_list is;
};

void carried_texts_release(struct carried_texts *texts);

/* Add a pair; empty texts and pairs of equal texts are left out. */
void carried_texts_add(struct carried_texts *texts, const char *was,
                       const char *is);

/*
 * A copy of text with every recorded text in it replaced, the longest first;
 * NULL: there is none in it. The caller frees it. texts may be NULL.
 */
char *carried_texts_apply(const struct carried_texts *texts, const char *text);

struct match_element {
    uint32_t node;
    bool control;        /* it takes taps or text */
    const char *id;      /* without its package; "": none */
    const char *meaning; /* of its main text; NULL: not known */
    const char *texts[MATCH_ELEMENT_TEXTS]; /* the main one first */
    bool replaced; /* its main text is the current one of a recorded one */
    size_t text_count;
    uint64_t numbers[MATCH_ELEMENT_NUMBERS]; /* hashes of those in its texts */
    size_t number_count;
    double x, y; /* its center, as parts of the screen */
    double width, height;
    unsigned sharing; /* number of elements with this id */
};

struct match_elements {
    const struct tree *tree; /* borrowed */
    struct match_element *items;
    size_t count;
    struct text_list replaced; /* texts in the place of recorded ones */
};

/*
 * The elements of a tree, which must outlive them. keep is a node that is one
 * in any case (TREE_NONE: none). thesaurus gives the meanings (may be NULL),
 * texts replaces recorded texts (may be NULL).
 */
void match_elements_init(struct match_elements *elements,
                         const struct tree *tree, uint32_t keep,
                         struct thesaurus *thesaurus,
                         const struct carried_texts *texts);
void match_elements_release(struct match_elements *elements);

/* The element that a node belongs to: itself or around it; NULL: none. */
const struct match_element *match_elements_around(
    const struct match_elements *elements, uint32_t node);

/* The role of an element, and the state of what can be checked in it. */
enum role match_element_role(const struct match_elements *elements,
                             const struct match_element *element);

#endif
