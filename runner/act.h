/*
 * Doing on a phone what an action says. What a model says is data here: it
 * never becomes part of a command but through shell_quote, or as base64.
 */
#ifndef RUNNER_ACT_H
#define RUNNER_ACT_H

#include <stdbool.h>

#include "adb/device.h"
#include "base/cancel.h"
#include "runner/coords.h"
#include "runner/journal.h"
#include "tasks/action.h"

struct actor;

struct actor_options {
    const char *keyboard_apk; /* ADBKeyboard, to be installed if it is not
                                 there; NULL: never */
    struct journal *journal;  /* borrowed; of what is changed; NULL: its own,
                                 kept in memory */
    const struct cancel *cancel;
    const struct log *log;
};

/* Borrows device. Changes nothing on the phone. */
MUST_USE bool actor_open(struct device *device,
                         const struct actor_options *options,
                         struct deadline by, struct actor **actor,
                         struct err *err);

/*
 * Close; NULL is fine. A journal of its own is undone; that of somebody else is
 * theirs to undo.
 */
void actor_close(struct actor *actor);

/* The connection was lost, and this is the new one to the same phone. */
void actor_use(struct actor *actor, struct device *device);

/*
 * Carry it out; screen is its size now. WAIT waits. What only concerns the
 * runner (ASK, ANSWER, COMPLETE, FAIL) does nothing.
 *
 * Fails with ERR_INVALID for what cannot be done (an app that is not there, a
 * text that no keyboard types exactly), which is the agent's to hear, and
 * otherwise as shell_run does.
 */
MUST_USE bool actor_do(struct actor *actor, const struct action *action,
                       struct extent screen, struct deadline by,
                       struct err *err);

#endif
