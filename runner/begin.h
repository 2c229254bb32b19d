/*
 * How a task begins on a phone: reset, set-up commands, and the first of its
 * apps in front. Episodes and replays begin alike.
 */
#ifndef RUNNER_BEGIN_H
#define RUNNER_BEGIN_H

#include "runner/session.h"
#include "tasks/task.h"

/*
 * Bring the phone to the state that the task wants. A phone made of software
 * is as new each time, in that language (NULL: whichever), but for a task that
 * takes it as it is. folder is where the recorded beginning is looked for.
 * Fails with ERR_INVALID where clearing would log somebody out, with
 * ERR_UNSUPPORTED for a snapshot of a phone that has none, as
 * source_ops.refresh, app_clear, app_stop and replay_play do.
 */
MUST_USE bool begin_reset(struct session *session, const struct task *task,
                          const char *locale, const char *folder,
                          struct err *err);

/* The task's own commands. Fails with ERR_REMOTE when one of them does. */
MUST_USE bool begin_set_up(struct session *session, const struct task *task,
                           struct err *err);

/* Start an app (NULL: none); seen is the screen before that. */
MUST_USE bool begin_launch(struct session *session, const char *app,
                           struct observation *seen, struct err *err);

#endif
