/*
 * Wrong twins of a recording: the same episode with one mistake, put together
 * from the recorded steps and screens. Checks that accept the recording should
 * refuse each of them (judge/gold/prove.h).
 *
 *     left out        a key step is missing, alone or with the steps that only
 *                     led to it; later steps that are no longer possible are
 *                     missing as well
 *     another target  a key step is done to another element, or another text
 *                     is typed or answered
 *     undone          a key step is done, and taken back at the end
 *     stopped early   complete before a key step
 *
 * The screens are guesses (judge/gold/twin_screen.h). On a phone the steps of a
 * twin can be carried out instead.
 */
#ifndef JUDGE_GOLD_TWINS_H
#define JUDGE_GOLD_TWINS_H

#include "judge/evidence/episode_evidence.h"
#include "judge/gold/key_steps.h"

#define TWINS_MAX 400

enum twin_kind {
    TWIN_LEFT_OUT,
    TWIN_OTHER_TARGET,
    TWIN_UNDONE,
    TWIN_STOPPED_EARLY,
    TWIN_KINDS,
};

/* "left_out", "other_target". */
const char *twin_kind_name(enum twin_kind kind);

struct twin {
    enum twin_kind kind;
    size_t key_step;                  /* index of the key step */
    char *description;                /* owned: "left out: tapped 'Sort'" */
    struct episode_evidence evidence; /* composed: it borrows the recording */

    struct tree **trees; /* owned, as all below; its own screens */
    size_t tree_count;
    struct trajectory_step **steps; /* its own steps */
    size_t step_count;
    struct text_list texts; /* their texts */
};

struct twins {
    struct twin *items; /* owned */
    size_t count;
};

/*
 * Make all twins, at most TWINS_MAX. They borrow the recording, which must
 * outlive them; the caller releases them. An episode without trees has only
 * those that stop early.
 */
void twins_make(const struct episode_evidence *recording,
                const struct key_steps *key_steps, struct twins *twins);
void twins_release(struct twins *twins);

#endif
