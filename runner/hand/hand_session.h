/*
 * Records what a person does on a phone over ADB with the fingers: touches and
 * keys by `getevent`, screens by the session.
 *
 *     reader thread: getevent ─▶ getevent_reader ─▶ gesture_recognizer ─┐ queue
 *     hand_session_turn: observes, and takes gestures ◀─────────────────┘
 *                 │
 *                 ▼
 *             hand_steps ─▶ recorder
 *
 * All calls come from one thread, which also uses the recorder.
 */
#ifndef RUNNER_HAND_HAND_SESSION_H
#define RUNNER_HAND_HAND_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/device/device.h"
#include "runner/record/recorder.h"

/* All of it is borrowed until it is closed. */
struct hand_session_options {
    struct device *device;      /* its touches */
    struct record_phone *phone; /* the screens of the same phone */
    struct recorder *recorder;
};

struct hand_session;

/*
 * Start listening to the phone's touch screens. Fails with ERR_UNSUPPORTED for
 * a phone without one, or with a clock that stands still (a built-in phone
 * without --realtime), and as shell_run.
 */
MUST_USE bool hand_session_open(const struct hand_session_options *options,
                                struct hand_session **session, struct err *err);
void hand_session_close(struct hand_session *self); /* NULL is fine */

/* The events of a turn. */
struct hand_turn {
    int events; /* gestures and keys that came */
    int steps;  /* how many were recorded */
    int last;   /* the number of the last of them */
    bool ready; /* the person may do the next step */
};

/*
 * Do what is to be done now: record the steps that are complete, and observe
 * the phone if it was touched or some time has passed; or wait for a touch, at
 * most wait_ms. Fails with ERR_LOST when the phone reports no touches any more:
 * what came before is recorded, also a text that is not complete. Fails as
 * record_phone_ops.observe, recorder_before and recorder_acted, too.
 */
MUST_USE bool hand_session_turn(struct hand_session *self, int64_t wait_ms,
                                struct hand_turn *turn, struct err *err);

/*
 * The person has finished: record what is not complete yet, such as a text, and
 * the last screen. Fails as hand_session_turn; when the phone cannot be
 * observed, the text is recorded as it was seen last.
 */
MUST_USE bool hand_session_end(struct hand_session *self,
                               struct hand_turn *turn, struct err *err);

#endif
