/*
 * Checks after a TYPE action whether its text arrived, with the tree that the
 * next observation reads anyway.
 *
 *     act ──▶ typed_check_begin ──▶ observe ──▶ typed_check_end
 */
#ifndef RUNNER_SESSION_TYPED_CHECK_H
#define RUNNER_SESSION_TYPED_CHECK_H

#include <stdbool.h>

#include "runner/observe/observer.h"
#include "tasks/task/action.h"

#define TYPED_CHECK_WHY_MAX 200

/* All zero is one that is not due. */
struct typed_check {
    bool due;
    struct action action; /* owned */
    struct tree before;   /* owned; the screen it was typed on */
};

void typed_check_release(struct typed_check *check);

/*
 * The action was performed on seen. Due only for text that a tree can tell
 * about; then the tree moves here, and seen has none.
 */
void typed_check_begin(struct typed_check *check, const struct action *action,
                       struct observation *seen);

/*
 * The next observation. True: the text did not arrive, and why says so. A
 * screen that changed while its tree was read tells nothing. Not due
 * afterwards.
 */
MUST_USE bool typed_check_end(struct typed_check *check,
                              const struct observation *seen,
                              char why[TYPED_CHECK_WHY_MAX]);

#endif
