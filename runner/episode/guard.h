/*
 * Keeps agents from doing harm on a user's own phone: an action must touch one
 * of the task's apps, and no control with a name such as "Pay".
 *
 * The lists are in runner/episode/guard/deny.json. A file of the user replaces
 * single lists, and may allow words for tasks:
 *
 *     {"words": {"en": ["pay"], "zh": ["支付"]},
 *      "keypad": ["delete"],                    allowed on a keypad
 *      "packages": ["com.android.vending"],     never, unless a task's own
 *      "system": ["*launcher*"],                allowed beside the task's apps
 *      "allow": {"notes-delete": ["delete"]}}
 */
#ifndef RUNNER_EPISODE_GUARD_H
#define RUNNER_EPISODE_GUARD_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "runner/observe/observer.h"
#include "tasks/task/action.h"
#include "tasks/task/task.h"

#define GUARD_WHY_MAX 256

struct guard;

/*
 * Load the built-in lists, and those of file that replace them (NULL:
 * guard.json in the user's configuration folder, if it exists). Fails with
 * ERR_NOT_FOUND, ERR_INVALID and the member, and as file_load.
 */
MUST_USE bool guard_open(const char *file, struct guard **guard,
                         struct err *err);
void guard_close(struct guard *guard); /* NULL is fine */

/* The same from texts; over (may be NULL) replaces lists. */
MUST_USE bool guard_parse(const char *text, size_t length, const char *over,
                          size_t over_length, struct guard **guard,
                          struct err *err);

/*
 * Is the action allowed on the observed screen? If not, why has the reason, for
 * the record and the agent. BACK, HOME and actions that touch nothing are
 * always allowed. Without a task (NULL) every app may be used but those that
 * must never be. Safe from several threads.
 */
bool guard_allows(const struct guard *guard, const struct task *task,
                  const struct observation *seen, const struct action *action,
                  char why[GUARD_WHY_MAX]);

/*
 * Does the name of a control contain one of the words? Only whole words count,
 * and only in short names: a headline about paying is not a button. *word is
 * the word.
 */
bool guard_finds_word(const struct guard *guard, const char *name,
                      const char **word);

#endif
