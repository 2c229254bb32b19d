/*
 * What a step of the gold acts on: the item of a list that was opened for it,
 * whose name the screen still shows. "Add to wish list" is done to an app, and
 * to another app it is something else, also where that item is no key step.
 */
#ifndef JUDGE_GOLD_ACT_OBJECT_H
#define JUDGE_GOLD_ACT_OBJECT_H

#include "judge/gold/anchors.h"

/* Its name, borrowed from the gold; NULL: none. */
const char *act_object_find(const struct anchors *anchors,
                            const struct episode_evidence_step *step);

/* Does the step open an item of a list of content, which it names? */
bool act_object_is_item(const struct anchors *anchors,
                        const struct episode_evidence_step *step);

#endif
