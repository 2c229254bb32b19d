/*
 * The words that tell the row of a touched element from other rows of its list:
 * which of two bills was opened, and which file was deleted.
 */
#ifndef JUDGE_GOLD_ROW_WORDS_H
#define JUDGE_GOLD_ROW_WORDS_H

#include "judge/gold/anchors.h"

/*
 * Add the words for a step that touches a control: the name of the row, where
 * the control is only a part of it; the numbers of an item; and where a row of
 * the same list has all these as well, a text that only this one has. None of
 * them is wording of the app.
 */
void row_words_find(const struct anchors *anchors,
                    const struct episode_evidence_step *step,
                    struct text_list *words);

#endif
