/*
 * Known pop-ups, and how they are dismissed. The built-in ones are in
 * runner/session/popups/known.json:
 *
 *     [{"name": "system update",
 *       "package": "com.android.systemui",   ".systemui": its end; may be
 * missing "shows": "update|更新",               a pattern of one of its texts
 *       "tap": {"text": ["Later", "稍后"]}}]  a selector, as in tasks
 *
 * They are used while a task is set up and during replays, never during an
 * agent's steps.
 */
#ifndef RUNNER_SESSION_POPUP_HANDLERS_H
#define RUNNER_SESSION_POPUP_HANDLERS_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/session/device_session.h"

struct popup_handlers;

/*
 * Open the handlers of a file; NULL: the built-in ones. Fails with ERR_INVALID
 * and the member, and as file_load.
 */
MUST_USE bool popup_handlers_open(const char *file,
                                  struct popup_handlers **handlers,
                                  struct err *err);
void popup_handlers_close(struct popup_handlers *handlers); /* NULL is fine */

/*
 * The pop-ups on these screens are expected, and not dismissed: first forget
 * those of before, then name each screen.
 */
void popup_handlers_forget(struct popup_handlers *handlers);
void popup_handlers_expect(struct popup_handlers *handlers,
                           const struct tree *tree);

/*
 * Where to tap for the first known pop-up on the observed screen: in the
 * package and window of its text. False: there is none.
 */
MUST_USE bool popup_handlers_find(const struct popup_handlers *handlers,
                                  const struct observation *seen,
                                  struct action_point *at);

/*
 * Dismiss the known pop-ups on the observed screen, at most a few in a row;
 * seen is then the screen without them, and *count is increased by their
 * number. handlers may be NULL. Fails as device_session_perform and
 * device_session_observe.
 */
MUST_USE bool popup_handlers_dismiss(const struct popup_handlers *handlers,
                                     struct device_session *session,
                                     struct observation *seen, int *count,
                                     struct err *err);

#endif
