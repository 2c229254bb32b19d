/*
 * Brings a phone to the start of a task: reset, setup commands, and its first
 * app in front. Episodes and replays share it.
 */
#ifndef RUNNER_REPLAY_TASK_SETUP_H
#define RUNNER_REPLAY_TASK_SETUP_H

#include "runner/session/device_session.h"
#include "tasks/task/task.h"

/*
 * Reset the phone as the task says. A built-in phone is new for each task, in
 * that language (NULL: any), unless the task takes it as it is. folder is where
 * recorded beginnings are. Fails with ERR_INVALID where clearing data would log
 * the user out, ERR_UNSUPPORTED for a snapshot that the phone cannot load, and
 * as device_source_ops.refresh, task_setup_require_apps, app_clear, app_stop
 * and replay_play.
 */
MUST_USE bool task_setup_reset(struct device_session *session,
                               const struct task *task, const char *locale,
                               const char *folder, struct err *err);

/* The language of tasks on this phone, "en" or "zh"; locale is the wanted one.
 */
const char *task_setup_locale(const struct device_session *session,
                              const char *locale);

/*
 * The task in one language, with the phone's date and the facts of its truth.
 * The caller releases it. Fails as device_session_run, truth_source_ops.facts
 * and task_resolve.
 */
MUST_USE bool task_setup_resolve(struct device_session *session,
                                 const struct task *task, const char *locale,
                                 struct task *resolved, struct err *err);

/* Run the task's setup commands. Fails with ERR_REMOTE when one fails. */
MUST_USE bool task_setup_run_commands(struct device_session *session,
                                      const struct task *task, struct err *err);

/*
 * Fails with ERR_NOT_FOUND when apps of the task are not installed, with the
 * names that fit into a line; and as device_session_run.
 */
MUST_USE bool task_setup_require_apps(struct device_session *session,
                                      const struct task *task, struct err *err);

/*
 * Start an app (NULL: none); seen gets the screen before that. Known pop-ups
 * that come over the app are dismissed.
 */
MUST_USE bool task_setup_launch(struct device_session *session, const char *app,
                                struct observation *seen, struct err *err);

#endif
