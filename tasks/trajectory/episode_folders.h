/* Finds the episodes in a run's folder, or in any other. */
#ifndef TASKS_TRAJECTORY_EPISODE_FOLDERS_H
#define TASKS_TRAJECTORY_EPISODE_FOLDERS_H

#include <stdbool.h>

#include "base/err.h"
#include "tasks/json/text_list.h"

/* Is it the folder of an episode? */
bool episode_folders_is_one(const char *folder);

/*
 * Add the folders of all episodes in and below folder, sorted by name; links
 * are not followed. Fails as opendir does, and with ERR_INVALID when there are
 * none; found then has what it had, or more.
 */
MUST_USE bool episode_folders_find(const char *folder, struct text_list *found,
                                   struct err *err);

#endif
