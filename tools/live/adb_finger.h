/*
 * A finger on a phone that knows only whole commands: `input`, which starts a
 * Java process each time. Touches are collected; the gesture is sent when the
 * finger leaves, with its real duration. A slow drag on Android 11 or later is
 * sent as it happens, by `input motionevent`.
 *
 *            down            up: tap, or a swipe that takes as long
 *     UP ───────────▶ COLLECTING ───────────────────────────▶ UP
 *                         │ a slow drag: DOWN
 *                         ▼                up: UP, cancel: CANCEL
 *                       LIVE (each move) ─────────────────────▶ UP
 *
 * Pure: touches in, commands out.
 */
#ifndef TOOLS_LIVE_ADB_FINGER_H
#define TOOLS_LIVE_ADB_FINGER_H

#include <stdbool.h>

#include "base/buf.h"
#include "tools/live/phone_view.h"

enum adb_finger_state {
    ADB_FINGER_UP,
    ADB_FINGER_COLLECTING,
    ADB_FINGER_LIVE,
};

struct adb_finger {
    bool has_motion; /* the phone has `input motionevent` */
    enum adb_finger_state state;
    struct view_command first; /* where it came down */
};

/* sdk is the phone's API level. */
void adb_finger_init(struct adb_finger *finger, int sdk);

/* Append the command line to run now; "": none. */
void adb_finger_touch(struct adb_finger *finger,
                      const struct view_command *touch, struct buf *command);

#endif
