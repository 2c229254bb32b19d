/* The episodes in a run's folder, or in any other. */
#ifndef TASKS_EPISODES_H
#define TASKS_EPISODES_H

#include <stdbool.h>

#include "base/err.h"
#include "tasks/texts.h"

/* Is it the folder of an episode? */
bool episodes_is_one(const char *folder);

/*
 * Add the folders of all episodes in and below folder, sorted by name; links
 * are not followed. Fails as opendir does, and with ERR_INVALID when there are
 * none; found then has what it had, or more.
 */
MUST_USE bool episodes_find(const char *folder, struct texts *found,
                            struct err *err);

#endif
