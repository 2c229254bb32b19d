/* Whether a phone accepts input events from adb; some do not. */
#ifndef ADB_SERVICES_INPUT_PERMISSION_H
#define ADB_SERVICES_INPUT_PERMISSION_H

#include "adb/services/shell.h"

enum input_permission {
    INPUT_PERMISSION_ALLOWED,
    INPUT_PERMISSION_FORBIDDEN, /* the shell user may not inject events */
    INPUT_PERMISSION_MISSING,   /* there is no such command: not Android */
    INPUT_PERMISSION_FAILED,
};

/* Interpret the result of a phone's `input` command. */
enum input_permission input_permission_parse(const struct shell_result *result);

/*
 * Inject a key event without effect (KEYCODE_UNKNOWN, which no app handles),
 * and see how the phone responds. Fails as shell_run does.
 */
MUST_USE bool input_permission_check(struct device *device, struct deadline by,
                                     enum input_permission *answer,
                                     struct err *err);

/* Advice to the user for INPUT_PERMISSION_FORBIDDEN. */
extern const char input_permission_advice[];

#endif
