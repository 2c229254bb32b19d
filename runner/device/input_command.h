/* Runs commands of a phone's `input`, and says why one was refused. */
#ifndef RUNNER_DEVICE_INPUT_COMMAND_H
#define RUNNER_DEVICE_INPUT_COMMAND_H

#include <stdbool.h>

#include "adb/device/device.h"

/*
 * Run a command line of `input` commands. Fails with ERR_DENIED and advice for
 * the user if the phone allows no input over ADB, ERR_UNSUPPORTED if it has no
 * `input`, ERR_REMOTE and the phone's words if it rejects the command, and as
 * shell_run.
 */
MUST_USE bool input_command_run(struct device *device, const char *command,
                                struct deadline by, struct err *err);

#endif
