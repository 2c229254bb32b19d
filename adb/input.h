/* Whether a phone takes keys and text from us: some keep that from adb. */
#ifndef ADB_INPUT_H
#define ADB_INPUT_H

#include "adb/shell.h"

enum input_answer {
    INPUT_TAKEN,
    INPUT_FORBIDDEN, /* its shell may not inject events */
    INPUT_MISSING,   /* it has no such command: no Android */
    INPUT_FAILED,
};

/* What a phone's `input` command said. */
enum input_answer input_judge(const struct shell_result *result);

/*
 * Press a key that means nothing (KEYCODE_UNKNOWN: no app does anything with
 * it), and see what the phone says. Fails as shell_run does.
 */
MUST_USE bool input_try(struct device *device, struct deadline by,
                        enum input_answer *answer, struct err *err);

/* What to do about INPUT_FORBIDDEN. */
extern const char input_forbidden_advice[];

#endif
