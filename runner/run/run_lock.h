/* The lock on a run's folder: one process writes a run. */
#ifndef RUNNER_RUN_RUN_LOCK_H
#define RUNNER_RUN_RUN_LOCK_H

#include "runner/device/file_lock.h"

/*
 * Lock the run in a folder that exists. The caller releases the lock with
 * file_lock_release. Fails as file_lock_take: with ERR_BUSY while another
 * process has it.
 */
MUST_USE bool run_lock_take(const char *folder, struct file_lock *lock,
                            struct err *err);

#endif
