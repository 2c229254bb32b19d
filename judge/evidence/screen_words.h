/* Words on screens: names and numbers, independent of an app's wording. */
#ifndef JUDGE_EVIDENCE_SCREEN_WORDS_H
#define JUDGE_EVIDENCE_SCREEN_WORDS_H

#include <stdbool.h>

#include "process_provider/tree/tree.h"
#include "tasks/json/text_list.h"

/*
 * The first node from that one on whose text or description contains word as a
 * whole word: "4" is in "4 results", and neither in "14" nor in "4.8". System
 * windows are ignored. TREE_NONE: there is none.
 */
uint32_t screen_words_find(const struct tree *tree, const char *word,
                           uint32_t from);

/* Is word in a text or description of the node, or of one inside it? */
bool screen_words_within(const struct tree *tree, uint32_t node,
                         const char *word);

/* Are all words there, each at or after the node of the one before? */
bool screen_words_in_order(const struct tree *tree,
                           const struct text_list *words);

/* Does text contain word as a whole word? */
bool screen_words_has(const char *text, const char *word);

/*
 * The next number in text, with its separators: "$1,234.50" has "1,234.50",
 * "10:00" is one. Returns its length and sets *begin; 0: none.
 */
size_t screen_words_number(const char *text, const char **begin);

#endif
