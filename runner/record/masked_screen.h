/* An observed screen without the content of its password fields. */
#ifndef RUNNER_RECORD_MASKED_SCREEN_H
#define RUNNER_RECORD_MASKED_SCREEN_H

#include "runner/observe/observer.h"
#include "runner/record/secret_fields.h"

struct masked_screen {
    struct buf png; /* empty: none */
    struct buf xml; /* the same */
    bool has_tree;
    struct tree tree; /* of xml */
};

/*
 * Make it. Without a tree it is empty if the screen before had a password
 * field. The caller releases it, also after a failure.
 */
MUST_USE bool masked_screen_make(struct masked_screen *screen,
                                 struct secret_fields *secrets,
                                 const struct observation *seen,
                                 struct err *err);
void masked_screen_release(struct masked_screen *screen);

#endif
