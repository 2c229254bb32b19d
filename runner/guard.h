/*
 * Keeps agents from doing harm on somebody's phone: what is touched must be
 * one of the task's apps, and must not be called "Pay" or the like.
 *
 * What may not be touched is data, runner/guard/deny.json; a file of the user's
 * replaces its lists, and may allow single words to single tasks:
 *
 *     {"words": {"en": ["pay"], "zh": ["支付"]},
 *      "packages": ["com.android.vending"],     never, unless a task's own
 *      "system": ["*launcher*"],                beside each task's apps
 *      "allow": {"notes-delete": ["delete"]}}
 */
#ifndef RUNNER_GUARD_H
#define RUNNER_GUARD_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "runner/observe.h"
#include "tasks/action.h"
#include "tasks/task.h"

#define GUARD_WHY_MAX 256

struct guard;

/*
 * Load what comes with proctor, and what file (NULL: guard.json in the user's
 * configuration, if there is one) says instead. Fails with ERR_NOT_FOUND,
 * ERR_INVALID (names the place) and as file_load.
 */
MUST_USE bool guard_open(const char *file, struct guard **guard,
                         struct err *err);
void guard_close(struct guard *guard); /* NULL is fine */

/* The same from texts; over may be NULL. */
MUST_USE bool guard_parse(const char *text, size_t length, const char *over,
                          size_t over_length, struct guard **guard,
                          struct err *err);

/*
 * May this be done on what is seen? If not, why tells it, for the record and
 * for the agent. What leads away (BACK, HOME) and what touches nothing always
 * may. Safe from several threads.
 */
bool guard_allows(const struct guard *guard, const struct task *task,
                  const struct observation *seen, const struct action *action,
                  char why[GUARD_WHY_MAX]);

/*
 * Is one of the words in this name of a control? Whole words, in names that
 * are short: a headline about paying is no button that pays. *word is which.
 */
bool guard_finds_word(const struct guard *guard, const char *name,
                      const char **word);

#endif
