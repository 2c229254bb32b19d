/*
 * Words on screens: names and numbers that are there whatever the app around
 * them is worded like.
 */
#ifndef JUDGE_WORDS_H
#define JUDGE_WORDS_H

#include <stdbool.h>

#include "process_provider/tree.h"
#include "tasks/texts.h"

/*
 * The first node from that one on whose text or description holds word, as a
 * word of its own: "4" is in "4 results", and neither in "14" nor in "4.8".
 * What the system shows does not count. TREE_NONE: there is none.
 */
uint32_t words_find(const struct tree *tree, const char *word, uint32_t from);

/* Are all of them there, each at or behind the one before? */
bool words_in_order(const struct tree *tree, const struct texts *words);

/* Does text hold word, in this sense? */
bool words_has(const char *text, const char *word);

/*
 * The next number in text, with what belongs to it: "$1,234.50" has
 * "1,234.50", "10:00" is one. Returns its length and sets *begin; 0: none.
 */
size_t words_number(const char *text, const char **begin);

#endif
