/* The lists that a guard goes by. */
#ifndef RUNNER_GUARD_LIST_H
#define RUNNER_GUARD_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/texts.h"

/* Words that a task may use all the same. */
struct guard_allowance {
    char *task; /* owned */
    struct texts words;
};

struct guard_list {
    struct texts words;    /* never, in any app */
    struct texts packages; /* never, unless they are the task's own */
    struct texts system;   /* patterns of what is beside the apps */
    struct guard_allowance *allowances; /* owned */
    size_t allowance_count;
};

void guard_list_release(struct guard_list *list);

/*
 * Read a file's text; members that it has replace what is in list. Fails with
 * ERR_INVALID and the member's name; list is then not to be used.
 */
MUST_USE bool guard_list_read(struct guard_list *list, const char *text,
                              size_t length, struct err *err);

#endif
