/*
 * What a typed text of the gold's own words contains that was looked up before:
 * the address in "We meet at 165 Mill Lane". Another attempt may put it into
 * other words.
 */
#ifndef JUDGE_GOLD_LOOKED_UP_H
#define JUDGE_GOLD_LOOKED_UP_H

#include "judge/evidence/episode_evidence.h"
#include "tasks/json/text_list.h"

/*
 * Add the parts of the text that a step types: names and numbers that earlier
 * screens show and the instruction does not have. None are added for a search,
 * for a text of the instruction, and where nothing was looked up.
 */
void looked_up_find(const struct episode_evidence *gold, size_t step,
                    struct text_list *parts);

#endif
