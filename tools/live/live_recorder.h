/*
 * Records what is done on a viewed phone: touches become gestures, texts and
 * keys actions, each with the screen before it. They come from the page, or
 * from the phone itself in the person's hand.
 *
 *     down ──▶ the screen is captured ──▶ the finger comes down … up
 *                                                  │ gesture_recognizer
 *     text, keys ──▶ captured ──▶ typed            ▼
 *                          └──────────────▶ runner/record: recorder
 *                                                  ▲
 *     the phone's own touch screen ──▶ runner/hand: hand_session
 *
 * A built-in phone is captured at the moment of the command. A phone over ADB
 * is observed while nothing happens, and a command waits until that was done.
 *
 * Texts that follow each other are one action; a tap is recorded when it cannot
 * become a double tap any more. All functions are safe from any thread, and
 * block while a command is carried out.
 */
#ifndef TOOLS_LIVE_LIVE_RECORDER_H
#define TOOLS_LIVE_LIVE_RECORDER_H

#include <stdbool.h>

#include "base/err.h"
#include "runner/record/recorder.h"
#include "tools/live/phone_view.h"

struct live_recorder;

/* All of it is borrowed; view and phone until the recorder is closed. */
struct live_recorder_options {
    const char *recordings; /* as in recorder_options */
    const char *name;
    struct phone_view *view;
    struct phone *phone; /* if it is built in; NULL: over ADB */
    const char *serial;
    bool in_hand; /* the steps come from the phone's own touch screen */
    /*
     * A step is on the disk, or it became ready, or it failed. Called by other
     * threads; must not block, or call the recorder. May be NULL.
     */
    void (*on_change)(void *context);
    void *context;
};

/*
 * Start to record, or go on with a recording that was not finished. Fails as
 * recorder_open and hand_session_open, and when the phone is out of reach.
 */
MUST_USE bool live_recorder_open(const struct live_recorder_options *options,
                                 struct live_recorder **recorder,
                                 struct err *err);

/*
 * Stop: with finish as recorder_finish, otherwise as recorder_close. Its memory
 * is freed, also on failure.
 */
MUST_USE bool live_recorder_close(struct live_recorder *live, bool finish,
                                  struct err *err);

/* Its view, as it was given. */
struct phone_view *live_recorder_view(const struct live_recorder *live);

/* Are its steps done on the phone itself? */
bool live_recorder_is_in_hand(const struct live_recorder *live);

/* Take back the last step: see recorder_undo. */
MUST_USE bool live_recorder_undo(struct live_recorder *live,
                                 struct recorder_undone *undone,
                                 struct err *err);

/*
 * The number of the step that comes next: what was done so far is recorded
 * before. tree is what the phone shows now, and loses what was typed into
 * password fields; NULL: only the number is asked for. Fails as recorder_acted
 * and recorder_mask.
 */
MUST_USE bool live_recorder_next_step(struct live_recorder *live,
                                      struct tree *tree, int *step,
                                      struct err *err);

/*
 * Can the next touch be carried out at once, without waiting for the screen?
 * *failure (may be NULL) says why nothing more is recorded; ERR_NONE. Does not
 * block.
 */
bool live_recorder_is_ready(struct live_recorder *live, struct err *failure);

#endif
