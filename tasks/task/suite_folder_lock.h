/*
 * One at a time: programs that change a suite's file, or the recordings beside
 * it, take turns.
 */
#ifndef TASKS_TASK_SUITE_FOLDER_LOCK_H
#define TASKS_TASK_SUITE_FOLDER_LOCK_H

#include <stdbool.h>

#include "base/err.h"

/*
 * Wait until no other program changes the suites in this folder, which is
 * created if it is missing, and keep others from it until *lock is closed.
 * Fails as file_make_folder, and with the folder when it cannot be opened.
 */
MUST_USE bool suite_folder_lock_take(const char *folder, int *lock,
                                     struct err *err);

#endif
