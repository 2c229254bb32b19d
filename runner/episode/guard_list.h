/* The lists of a guard. */
#ifndef RUNNER_EPISODE_GUARD_LIST_H
#define RUNNER_EPISODE_GUARD_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/json/text_list.h"

/* Words that are allowed for a task. */
struct guard_allowance {
    char *task; /* owned */
    struct text_list words;
};

struct guard_list {
    struct text_list words;    /* forbidden in all apps */
    struct text_list keypad;   /* words that are harmless on a keypad */
    struct text_list packages; /* forbidden, unless they are apps of the task */
    /* patterns of system packages, which are allowed */
    struct text_list system;
    struct guard_allowance *allowances; /* owned */
    size_t allowance_count;
};

void guard_list_release(struct guard_list *list);

/*
 * Parse a file; its members replace those of list. Fails with ERR_INVALID and
 * the name of the member; list must then not be used.
 */
MUST_USE bool guard_list_read(struct guard_list *list, const char *text,
                              size_t length, struct err *err);

#endif
