/*
 * What a step of the gold changes for good, beyond the screen that it shows:
 * doing that again, or to something else as well, is wrong.
 */
#ifndef JUDGE_GOLD_KEY_EFFECT_H
#define JUDGE_GOLD_KEY_EFFECT_H

#include "judge/gold/anchors.h"

enum key_effect {
    KEY_EFFECT_NONE,   /* it only chooses, opens or looks */
    KEY_EFFECT_SWITCH, /* a switch or checkbox was turned on or off */
    KEY_EFFECT_ACT,    /* something was sent, added, removed, … */
};

enum key_effect key_effect_of(const struct anchors *anchors,
                              const struct episode_evidence_step *step);

/*
 * Does it change something in an editor, which offers to undo that at once or
 * when the change is applied?
 */
bool key_effect_is_edit(const struct anchors *anchors,
                        const struct episode_evidence_step *step);

/* Did the step make the screen offer to undo it? */
bool key_effect_may_be_undone(const struct anchors *anchors,
                              const struct episode_evidence_step *step);

#endif
