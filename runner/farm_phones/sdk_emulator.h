/* The Android SDK's program `emulator`, and its virtual devices (AVDs). */
#ifndef RUNNER_FARM_PHONES_SDK_EMULATOR_H
#define RUNNER_FARM_PHONES_SDK_EMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/err.h"

#define SDK_EMULATOR_OPTIONS_MAX 32

/*
 * Find the program: in the folder that ANDROID_HOME or ANDROID_SDK_ROOT names,
 * then in PATH. The caller frees the path. Fails with ERR_NOT_FOUND.
 */
MUST_USE bool sdk_emulator_find(char **program, struct err *err);

/* May an AVD have this name? The SDK allows letters, digits, '.', '_', '-'. */
bool sdk_emulator_is_name(const char *name, size_t length);

/*
 * Is there an AVD of this name? Blocks while the program lists them. Fails with
 * ERR_NOT_FOUND, and names those that exist, and as child_start.
 */
MUST_USE bool sdk_emulator_check_avd(const char *program, const char *name,
                                     const struct cancel *cancel,
                                     struct err *err);

/*
 * Why did it end? Fills err with the reason that its output gives, and what to
 * do about it; output is untrusted. Always false.
 */
bool sdk_emulator_explain(const char *output, struct err *err);

#endif
