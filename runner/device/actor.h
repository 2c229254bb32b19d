/*
 * Performs actions on a phone. Text of a model is data: it becomes part of a
 * shell command only through shell_quote or as base64.
 */
#ifndef RUNNER_DEVICE_ACTOR_H
#define RUNNER_DEVICE_ACTOR_H

#include <stdbool.h>

#include "adb/device/device.h"
#include "base/cancel.h"
#include "base/extent.h"
#include "runner/device/screen_helper.h"
#include "runner/device/undo_journal.h"
#include "tasks/task/action.h"

struct actor;

struct actor_options {
    const char *keyboard_apk;     /* ADBKeyboard, installed if it is missing and
                                     needed; NULL: never */
    struct undo_journal *journal; /* borrowed; records changes of the phone;
                                     NULL: an own one in memory */
    const struct cancel *cancel;
    const struct log *log;
};

/*
 * device is borrowed. Changes nothing on the phone. Fails as device_info_read.
 */
MUST_USE bool actor_open(struct device *device,
                         const struct actor_options *options,
                         struct deadline by, struct actor **actor,
                         struct err *err);

/*
 * NULL is fine. An own journal is undone; a borrowed one is left to its owner.
 */
void actor_close(struct actor *actor);

/* Use a new connection to the same phone, after the old one was lost. */
void actor_set_device(struct actor *actor, struct device *device);

/* Touch and press keys through this helper; NULL: by commands. Borrowed. */
void actor_set_helper(struct actor *actor, struct screen_helper *helper);

/* Take over what another actor knows, on a copy of its phone. */
void actor_continue(struct actor *actor, const struct actor *other);

/*
 * Perform an action; screen is the current size of the screen. WAIT waits; ASK,
 * ANSWER, COMPLETE and FAIL do nothing here.
 *
 * Fails with ERR_INVALID for an action that is impossible on this phone (an app
 * that is not installed, a text that no keyboard can type exactly), which is
 * reported to the agent; otherwise as shell_run.
 */
MUST_USE bool actor_perform(struct actor *actor, const struct action *action,
                            struct extent screen, struct deadline by,
                            struct err *err);

#endif
