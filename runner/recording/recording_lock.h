/*
 * One at a time: a recording that is being recorded cannot be changed, except
 * by edits, and a changed one cannot be recorded meanwhile.
 */
#ifndef RUNNER_RECORDING_RECORDING_LOCK_H
#define RUNNER_RECORDING_RECORDING_LOCK_H

#include "runner/device/file_lock.h"

/* Fails as file_lock_take. */
MUST_USE bool recording_lock_take(const char *folder, struct file_lock *lock,
                                  struct err *err);

#endif
