/* Keys of the kernel's input devices as Android's. */
#ifndef RUNNER_TOUCH_EVDEV_KEYS_H
#define RUNNER_TOUCH_EVDEV_KEYS_H

#include <stdbool.h>

#include "base/macros.h"

/* Android's key of the kernel's code. False for keys that are not known. */
MUST_USE bool evdev_key(unsigned code, int *key);

/* The kernel's code of a name as `getevent -l` prints it: "KEY_POWER". */
MUST_USE bool evdev_key_find(const char *name, unsigned *code);

#endif
